import { currentActions, type RunnableAction } from '../../ui/actions/actions.ts'

/** Action of the frame with this id, for a menu; an empty list if it is not offered. */
export const menuAction = (id: string): RunnableAction[] => currentActions().filter((action) => action.id === id)

export const menuFace = ({ Icon, run }: RunnableAction) => ({
  leftSection: Icon && <Icon size={16} stroke={1.6} />,
  onClick: run,
})
