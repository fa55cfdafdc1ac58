import { ActionIcon, Menu, Title, Tooltip, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { Business } from '@prospect/api-client'
import { IconArrowsDiagonal, IconDots, IconPhone, IconX } from '@tabler/icons-react'
import { ActionButton } from '../../../ui/actions/action-button.tsx'
import { serverNow } from '../../../ui/api/server-clock.ts'
import { useSession } from '../../../ui/api/session.ts'
import { media } from '../../../ui/layout/media.ts'
import { useCoveredHeight } from '../../../ui/layout/sticky.tsx'
import { CallHours } from '../../../ui/prospects/call-hours-part.ts'
import { DoNotContactMark } from '../../../ui/prospects/do-not-contact-mark.tsx'
import { followUpWords } from '../../../ui/prospects/follow-up-words.ts'
import { ShownState } from '../../../ui/prospects/shown-state.tsx'
import { FOLLOW_UP_ACTION, type OfferedRecordAction } from '../../../ui/rooms/record-parts.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { dayIn, phoneText } from '../../../ui/text/format.ts'
import { useMinutes } from '../../../ui/text/minutes.ts'
import { Name } from '../../../ui/text/name.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import { CopyValue } from './copy-value.tsx'
import classes from './record.module.css'

type Props = {
  business: Business
  variant: 'panel' | 'page'
  actions: readonly OfferedRecordAction[]
  close: () => void
  openPage: () => void
}

type FrameProps = Pick<Props, 'close' | 'openPage'>

/** Top of the panel beside the list, with its buttons. It is also shown while the record is being loaded. */
export function PanelTop(props: FrameProps) {
  return (
    <div className={classes.top}>
      <span className={classes.kind}>Prospect</span>
      <FrameButtons {...props} />
    </div>
  )
}

function FrameButtons({ close, openPage }: FrameProps) {
  return (
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
  )
}

/**
 * Header of a record, which stays in view while the content scrolls. On a narrow or low screen only its compact part stays: name, mark, state and
 * primary action. Facts and other actions follow and scroll.
 */
export function RecordHeader(props: Props) {
  const { business, variant, actions, close, openPage } = props
  const isCompact = useMediaQuery(media.compactHead, false, { getInitialValueInEffect: false })
  const head = useCoveredHeight('--pp-record-head')
  const buttons = actions.filter(({ at }) => at === 'button')
  const [first, ...others] = buttons.toSorted((a, b) => Number(b.isPrimary ?? false) - Number(a.isPrimary ?? false))
  const more = actions.filter(({ at }) => at === 'menu')
  const setFollowUp = actions.find(({ id }) => id === FOLLOW_UP_ACTION)
  if (isCompact)
    return (
      <>
        <header ref={head} className={classes.header} data-compact>
          <RecordTitle business={business} variant={variant} />
          <div className={classes.stay}>
            <State business={business} />
            {first !== undefined && <HeaderAction business={business} action={first} isFirst />}
            {variant === 'panel' && <FrameButtons close={close} openPage={openPage} />}
          </div>
        </header>
        <div className={classes.details}>
          <p className={classes.facts}>
            <Facts business={business} setFollowUp={setFollowUp} />
          </p>
          <Phone business={business} />
          <Actions business={business} buttons={others} more={more} />
        </div>
      </>
    )
  return (
    <header ref={head} className={classes.header}>
      {variant === 'panel' && <PanelTop close={close} openPage={openPage} />}
      <RecordTitle business={business} variant={variant} />
      <p className={classes.facts}>
        <State business={business} />
        <Facts business={business} setFollowUp={setFollowUp} />
      </p>
      <Phone business={business} />
      <Actions business={business} first={first} buttons={others} more={more} />
    </header>
  )
}

function RecordTitle({ business, variant }: Pick<Props, 'business' | 'variant'>) {
  return (
    <div className={classes.name}>
      <Title order={variant === 'page' ? 1 : 2} className={classes.title}>
        <Name of={business.name} />
      </Title>
      {business.doNotContact !== null && <DoNotContactMark />}
    </div>
  )
}

function State({ business }: Pick<Props, 'business'>) {
  return (
    <span className={classes.state}>
      <ShownState businessId={business.id} state={business.pipelineState} />
    </span>
  )
}

type FactsProps = Pick<Props, 'business'> & { setFollowUp: OfferedRecordAction | undefined }

function Facts({ business, setFollowUp }: FactsProps) {
  const facts = [business.isNameKnown ? business.tradingName : null, business.industry, business.address.city].filter(
    (fact) => fact !== null,
  )
  return (
    <>
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
        {business.lastInteractionAt === null ? (
          'never contacted'
        ) : (
          <>
            last contact <DateTime at={business.lastInteractionAt} />
          </>
        )}
      </span>
      <FollowUp on={business.followUpOn} action={setFollowUp} />
    </>
  )
}

/** The follow-up date, as a button that changes it for people who may. */
function FollowUp({ on, action }: { on: string | null; action: OfferedRecordAction | undefined }) {
  const { timeZone } = useSession().tenant
  useMinutes(true)
  const today = dayIn(serverNow().toISOString(), timeZone)
  if (on === null && action === undefined) return null
  const words = on === null ? 'set follow-up' : followUpWords(on, today)
  return (
    <span {...(on !== null && on <= today && { className: classes.due })}>
      {action === undefined ? (
        words
      ) : (
        <UnstyledButton className={classes.followUp} title={action.label} onClick={action.run}>
          {words}
        </UnstyledButton>
      )}
    </span>
  )
}

/** The first number, to dial it by hand. A record that is do not contact shows none here. */
function Phone({ business }: Pick<Props, 'business'>) {
  const [phone] = business.phones
  if (phone === undefined || business.doNotContact !== null || business.valuesHidden) return null
  return (
    <p className={classes.phone}>
      <IconPhone size={14} aria-hidden />
      <span>{nameText(phoneText(phone.normalized ?? phone.value))}</span>
      {phone.label !== null && (
        <span className={classes.phoneLabel}>
          <Name of={phone.label} />
        </span>
      )}
      <CopyValue business={business} kind="phone" value={phone.value} />
      <CallHours country={business.callCountry} className={classes.phoneLabel} />
    </p>
  )
}

type ActionsProps = Pick<Props, 'business'> & {
  first?: OfferedRecordAction | undefined
} & Record<'buttons' | 'more', readonly OfferedRecordAction[]>

function Actions({ business, first, buttons, more }: ActionsProps) {
  if (first === undefined && buttons.length + more.length === 0) return null
  return (
    <div className={classes.actions}>
      {first !== undefined && <HeaderAction business={business} action={first} isFirst />}
      {buttons.map((action) => (
        <HeaderAction key={action.id} business={business} action={action} />
      ))}
      <MoreMenu actions={more} />
    </div>
  )
}

type HeaderActionProps = { business: Business; action: OfferedRecordAction; isFirst?: boolean }

function HeaderAction({ business, action, isFirst = false }: HeaderActionProps) {
  const { Control, isPrimary = false } = action
  if (Control !== undefined) return <Control business={business} isFirst={isFirst} />
  return <ActionButton action={action} iconSize={14} variant={isFirst && isPrimary ? 'filled' : 'default'} />
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
