import { ActionIcon, Menu, Title, Tooltip } from '@mantine/core'
import type { Business } from '@prospect/api-client'
import { IconArrowsDiagonal, IconDots, IconX } from '@tabler/icons-react'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { ActionButton } from '../../../ui/actions/action-button.tsx'
import { DoNotContactMark } from '../../../ui/prospects/do-not-contact-mark.tsx'
import { ShownState } from '../../../ui/prospects/shown-state.tsx'
import type { OfferedRecordAction } from '../../../ui/rooms/record-parts.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { Name } from '../../../ui/text/name.tsx'
import classes from './record.module.css'

type Props = {
  business: Business
  variant: 'panel' | 'page'
  actions: readonly OfferedRecordAction[]
  close: () => void
  openPage: () => void
}

/** Top of the panel beside the list, with its buttons. It is also shown while the record is being loaded. */
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
          <ActionIcon aria-label="Close record" onClick={close}>
            <IconX size={16} />
          </ActionIcon>
        </Tooltip>
      </div>
    </div>
  )
}

export function RecordHeader({ business, variant, actions, close, openPage }: Props) {
  const facts = [business.isNameKnown ? business.tradingName : null, business.industry, business.address.city].filter(
    (fact) => fact !== null,
  )
  const head = useRef<HTMLElement>(null)
  useHeadHeight(head)
  return (
    <header ref={head} className={classes.header}>
      {variant === 'panel' && <PanelTop close={close} openPage={openPage} />}
      <div className={classes.name}>
        <Title order={variant === 'page' ? 1 : 2} className={classes.title}>
          <Name of={business.name} />
        </Title>
        {business.doNotContact !== null && <DoNotContactMark />}
      </div>
      <p className={classes.facts}>
        <span>
          <ShownState businessId={business.id} state={business.pipelineState} />
        </span>
        {!business.isNameKnown && <span>registered name not known</span>}
        {[...new Set(facts)].map((fact) => (
          <span key={fact}>
            <Name of={fact} />
          </span>
        ))}
        <span>
          <Name of={business.assignee?.name ?? 'Unassigned'} />
        </span>
        <span>
          updated <DateTime at={business.updatedAt} />
        </span>
      </p>
      {actions.some(({ at }) => at !== undefined) && <Actions business={business} actions={actions} />}
    </header>
  )
}

function Actions({ business, actions }: Pick<Props, 'business' | 'actions'>) {
  const buttons = actions.filter(({ at }) => at === 'button')
  const [primary, others] = [
    buttons.filter(({ isPrimary }) => isPrimary),
    buttons.filter(({ isPrimary }) => !isPrimary),
  ]
  return (
    <div className={classes.actions}>
      {[...primary, ...others].map((action) => (
        <HeaderAction key={action.id} business={business} action={action} />
      ))}
      <MoreMenu actions={actions.filter(({ at }) => at === 'menu')} />
    </div>
  )
}

function HeaderAction({ business, action }: { business: Business; action: OfferedRecordAction }) {
  const { Control, isPrimary } = action
  if (Control !== undefined) return <Control business={business} />
  return <ActionButton action={action} iconSize={14} variant={isPrimary ? 'filled' : 'default'} />
}

function MoreMenu({ actions }: { actions: readonly OfferedRecordAction[] }) {
  if (actions.length === 0) return null
  const [harmless, dangerous] = [actions.filter((one) => !one.isDangerous), actions.filter((one) => one.isDangerous)]
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label="More actions">
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {[...harmless, ...dangerous].map(({ id, label, Icon, isDangerous, asksMore, run }) => (
          <Menu.Item
            key={id}
            {...(isDangerous && { color: 'red' })}
            leftSection={Icon && <Icon size={15} />}
            onClick={run}
          >
            {label}
            {asksMore && '…'}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Tells the tabs and the scrolling parts below how much of the page the header covers. */
function useHeadHeight(head: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = head.current
    if (element === null) return
    const { style } = document.documentElement
    const measure = () => {
      const isSticky = getComputedStyle(element).position === 'sticky'
      style.setProperty('--pp-record-head', isSticky ? `${element.offsetHeight}px` : '0px')
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => {
      observer.disconnect()
      style.removeProperty('--pp-record-head')
    }
  }, [head])
}
