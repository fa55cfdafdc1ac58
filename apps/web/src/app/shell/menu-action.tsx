import { currentActions, type RunnableAction } from '../../ui/actions/actions.ts'

/** The action of the frame with this id, as a menu shows it; none where it is not offered. */
export const menuAction = (id: string): RunnableAction[] => currentActions().filter((action) => action.id === id)

export const menuFace = ({ Icon, run }: RunnableAction) => ({
  leftSection: Icon && <Icon size={16} stroke={1.6} />,
  onClick: run,
})
