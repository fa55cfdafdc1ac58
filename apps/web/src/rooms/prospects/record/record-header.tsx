import { ActionIcon, Button, Menu, Title, Tooltip } from '@mantine/core'
import type { Business } from '@prospect/api-client'
import {
  IconArrowRight,
  IconArrowsDiagonal,
  IconBan,
  IconChevronDown,
  IconDots,
  IconEraser,
  IconFileCheck,
  IconNote,
  IconPencil,
  IconX,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { DoNotContactMark } from '../../../ui/prospects/do-not-contact-mark.tsx'
import { PipelineBadge } from '../../../ui/prospects/pipeline-badge.tsx'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { Name } from '../../../ui/text/name.tsx'
import classes from './record.module.css'

/** What can be done to a record; null: the person may not, or the record takes none. */
export type RecordActions = Record<'edit' | 'note' | 'addEvidence' | 'block' | 'erase', (() => void) | null>

type Props = {
  business: Business
  variant: 'panel' | 'page'
  /** null while the record is being edited: one thing at a time. */
  actions: RecordActions | null
  close: () => void
  openPage: () => void
  /** The moves that the pipeline permits: what joins the rooms hands it in. null: the person may not move it. */
  moveMenu: ReactNode
}

/** Above a record beside the list, and above what stands there while it is not loaded. */
export function PanelTop({ close, openPage }: Pick<Props, 'close' | 'openPage'>) {
  return (
    <div className={classes.top}>
      <span className={classes.kind}>Prospect</span>
      <div className={classes.frame}>
        <Tooltip label="Open as a page">
          <ActionIcon aria-label="Open as a page" onClick={openPage}>
            <IconArrowsDiagonal size={16} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Close (Esc)">
          <ActionIcon aria-label="Close the record" onClick={close}>
            <IconX size={16} />
          </ActionIcon>
        </Tooltip>
      </div>
    </div>
  )
}

export function RecordHeader({ business, variant, actions, close, openPage, moveMenu }: Props) {
  const facts = [business.tradingName, business.industry, business.address.city].filter((fact) => fact !== null)
  return (
    <header className={classes.header}>
      {variant === 'panel' && <PanelTop close={close} openPage={openPage} />}
      <div className={classes.name}>
        <Title order={variant === 'page' ? 1 : 2} className={classes.title}>
          <Name of={business.name} />
        </Title>
        {business.doNotContact !== null && <DoNotContactMark />}
      </div>
      <p className={classes.facts}>
        <span>
          <PipelineBadge state={business.pipelineState} />
        </span>
        {[...new Set(facts)].map((fact) => (
          <span key={fact}>
            <Name of={fact} />
          </span>
        ))}
        <span>
          <Name of={business.assignee?.name ?? 'Nobody assigned'} />
        </span>
        <span>
          updated <DateTime at={business.updatedAt} />
        </span>
      </p>
      {actions !== null && <Actions actions={actions} moveMenu={moveMenu} />}
    </header>
  )
}

function Actions({ actions, moveMenu }: { actions: RecordActions; moveMenu: ReactNode }) {
  return (
    <div className={classes.actions}>
      {moveMenu !== null && (
        <Menu position="bottom-start" withinPortal>
          <Menu.Target>
            <Button
              leftSection={<IconArrowRight size={14} aria-hidden />}
              rightSection={<IconChevronDown size={14} aria-hidden />}
            >
              Move
            </Button>
          </Menu.Target>
          <Menu.Dropdown>{moveMenu}</Menu.Dropdown>
        </Menu>
      )}
      {actions.edit !== null && (
        <Button variant="default" leftSection={<IconPencil size={14} aria-hidden />} onClick={actions.edit}>
          Edit
        </Button>
      )}
      {actions.note !== null && (
        <Button variant="default" leftSection={<IconNote size={14} aria-hidden />} onClick={actions.note}>
          Note
        </Button>
      )}
      <MoreMenu actions={actions} />
    </div>
  )
}

function MoreMenu({ actions: { addEvidence, block, erase } }: { actions: RecordActions }) {
  if (addEvidence === null && block === null && erase === null) return null
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label="More actions">
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {addEvidence !== null && (
          <Menu.Item leftSection={<IconFileCheck size={15} />} onClick={addEvidence}>
            Add evidence
          </Menu.Item>
        )}
        {block !== null && (
          <Menu.Item color="red" leftSection={<IconBan size={15} />} onClick={block}>
            Mark as do not contact…
          </Menu.Item>
        )}
        {erase !== null && (
          <Menu.Item color="red" leftSection={<IconEraser size={15} />} onClick={erase}>
            Erase for good…
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
