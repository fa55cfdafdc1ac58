import type { ExtractionChecklistItem, ExtractionReadiness } from '@prospect/api-client'
import { IconAlertCircle, IconCircleCheck, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { RecordBody } from '../../ui/lists/record-body.tsx'
import { countWords } from '../../ui/text/count-words.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import { resolverOf } from '../../ui/text/resolver-words.ts'
import { sentenceCase } from '../../ui/text/sentence-case.ts'
import classes from './contacts.module.css'
import { readinessQuery } from './contacts.queries.ts'
import { DisableDialog, EnableDialog } from './enablement-dialogs.tsx'
import { checklistWords, enablementWords, extractionReasonWords } from './extraction-words.ts'

/** Page to enable contact extraction: its checklist, who can resolve each open item, and failures to investigate. */
export function ExtractionScreen() {
  const readiness = useQuery(readinessQuery)
  const enabling = useDialog()
  const disabling = useDialog()
  const { state, checklist = [] } = readiness.data ?? {}
  const group = 'Contacts'
  const permission = 'contacts.enable'
  const enable: Action = {
    id: 'extraction.enable',
    label: 'Enable extraction',
    group,
    Icon: IconPlayerPlay,
    permission,
    asksMore: true,
    unavailable:
      state === undefined ||
      state === 'enabled' ||
      (checklist.some(({ isOk }) => !isOk) && 'Resolve the open items first.'),
    run: () => enabling.open(),
  }
  const disable: Action = {
    id: 'extraction.disable',
    label: 'Disable extraction',
    group,
    Icon: IconPlayerPause,
    permission,
    isDangerous: true,
    asksMore: true,
    unavailable: state === undefined || state === 'disabled',
    run: () => disabling.open(),
  }
  useActions('screen', [enable, disable])
  return (
    <Page
      title="Enable extraction"
      lead="Extraction reads addresses and numbers from pages of approved official sites. Extraction sends nothing, adds nothing to a record, and does not permit contact."
      actions={
        <>
          <ActionButton action={enable} iconSize={16} />
          <ActionButton action={disable} iconSize={16} variant="default" />
        </>
      }
    >
      <RecordBody record={readiness} what="the checklist" lines={8}>
        {(read) => <Readiness readiness={read} />}
      </RecordBody>
      {enabling.slot(
        (_, dialog) => readiness.data !== undefined && <EnableDialog limits={readiness.data.limits} {...dialog} />,
      )}
      {disabling.slot((_, dialog) => (
        <DisableDialog {...dialog} />
      ))}
    </Page>
  )
}

function Readiness({ readiness }: { readiness: ExtractionReadiness }) {
  const { state, reason, at, validUntil, checklist, failures } = readiness
  const open = checklist.filter(({ isOk }) => !isOk).length
  return (
    <>
      <p role="status">
        <b>{enablementWords[state]}</b>
        {state === 'enabled' && validUntil !== null && (
          <>
            {' '}
            until <DateTime at={validUntil} as="date" />
          </>
        )}
        {reason !== null && (
          <>
            {' · '}
            <Name of={reason} />
          </>
        )}
        {at !== null && (
          <>
            {' · '}
            <DateTime at={at} as="dateTime" />
          </>
        )}
        {state === 'lapsed' && ' · Only an administrator can enable extraction again.'}
      </p>
      <h2 className={classes.part}>Checklist</h2>
      <p>{open === 0 ? 'No item is open.' : `${countWords(open, 'item is', 'items are')} open.`}</p>
      <ul className={classes.checklist} aria-label="Checklist">
        {checklist.map((item) => (
          <Item key={item.key} item={item} />
        ))}
      </ul>
      {failures.length > 0 && (
        <>
          <h2 className={classes.part}>Failures to investigate</h2>
          <ul className={classes.checklist} aria-label="Failures to investigate">
            {failures.map((failure) => (
              <li key={failure.extractionId}>
                <span>
                  Extraction {failure.extractionId} failed <DateTime at={failure.at} as="dateTime" />.{' '}
                  {extractionReasonWords[failure.reason]} Nothing was stored.
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function Item({ item: { key, isOk, reason, since, resolvedBy } }: { item: ExtractionChecklistItem }) {
  const Icon = isOk ? IconCircleCheck : IconAlertCircle
  return (
    <li data-open={!isOk}>
      <Icon size={18} stroke={1.75} aria-hidden />
      <span>
        <b>{checklistWords[key]}</b> · {isOk ? 'Done' : 'Open'}
        <span className={classes.meta}>
          {' '}
          {reason}
          {since !== null && (
            <>
              {' '}
              Since <DateTime at={since} as="date" />.
            </>
          )}
          {!isOk && ` ${sentenceCase(resolverOf(resolvedBy))} can resolve this.`}
        </span>
      </span>
    </li>
  )
}
