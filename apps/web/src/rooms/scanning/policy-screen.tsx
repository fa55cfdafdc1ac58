import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { approveScanPolicy, createScanPolicy, type ScanPolicy } from '@prospect/api-client'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useCan, useIsOwn } from '../../ui/api/session.ts'
import { DecisionDialog } from '../../ui/dialogs/decision-dialog.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { type DialogProps, useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Empty } from '../../ui/layout/states.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { countWords } from '../../ui/text/count-words.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import { type NumberValue, numberOf, numberProblems, numberText } from '../../ui/text/typed-number.ts'
import {
  type BoundName,
  boundLabel,
  boundNames,
  boundRange,
  boundText,
  boundWords,
  fromUnit,
  inUnit,
  policyStateWords,
  retention,
} from './policy-words.ts'
import classes from './scanning.module.css'
import { policiesQuery, refreshScanning } from './scanning.queries.ts'

/** Versions of the scan policy. Versions are immutable; one applies after a user other than its author has approved it. */
export function PolicyScreen() {
  const list = useInfiniteQuery(policiesQuery)
  const creating = useDialog()
  const approving = useDialog<ScanPolicy>()
  const create: Action = {
    id: 'scan-policy.create',
    label: 'New version',
    group: 'Websites',
    Icon: IconPlus,
    keys: 'shift+n',
    permission: 'scanning.write_policy',
    asksMore: true,
    run: () => creating.open(),
  }
  useActions('screen', [create])
  const current = list.data?.items.find(({ state }) => state === 'current')
  return (
    <Page
      title="Scan policy"
      lead="The policy limits scans of websites, and says how long the contents of scanned pages are stored. A version of the policy cannot be edited. It applies after another person has approved it."
      actions={<ActionButton action={create} iconSize={16} />}
    >
      <ListBody
        list={list}
        data={list.data}
        noun="versions"
        empty={<Empty title="No version yet">The built-in limits apply.</Empty>}
      >
        {(policies) => (
          <ol className={classes.rows} aria-label="Versions, newest first">
            {policies.map((policy) => (
              <Version key={policy.id} policy={policy} approve={() => approving.open(policy)} />
            ))}
          </ol>
        )}
      </ListBody>
      {creating.slot((_, dialog) => (
        <NewVersion basis={current} {...dialog} />
      ))}
      {approving.slot(({ id, version }, dialog) => (
        <DecisionDialog
          title={`Approve version ${version}?`}
          label="Approve the version"
          next="If you approve this version, it applies immediately. Scans that run under another version are stopped."
          reason="Stored with the version"
          missing="Enter a reason for the approval."
          draftName={`approve-scan-policy-${id}`}
          send={({ reason }, key) =>
            dataOf(approveScanPolicy({ path: { policyId: id }, body: { reason }, ...withKey(key) }))
          }
          done={`Version ${version} now applies.`}
          refresh={refreshScanning}
          {...dialog}
        />
      ))}
    </Page>
  )
}

function Version({ policy, approve }: { policy: ScanPolicy; approve: () => void }) {
  const { version, state, bounds, retentionDays, createdAt, createdBy, approval } = policy
  const canApprove = useCan('scanning.approve_policy')
  const isOwn = useIsOwn(createdBy)
  const changed = boundNames.filter((name) => bounds[name] !== boundWords[name].default)
  return (
    <li>
      <div>
        <b>Version {version}</b> · {policyStateWords[state]}
        <p className={classes.meta}>
          By <Name of={createdBy.name} /> <DateTime at={createdAt} as="dateTime" />
          {approval !== null && (
            <>
              {' · '}approved by <Name of={approval.by.name} />: <Name of={approval.reason} />
            </>
          )}
        </p>
        <p>
          Contents are stored for {countWords(retentionDays, 'day', 'days')}.{' '}
          {changed.length === 0
            ? 'All limits have their built-in values.'
            : changed.map((name) => `${boundWords[name].label}: ${boundText(name, bounds[name])}`).join(' · ')}
        </p>
      </div>
      {state === 'pending' && isOwn && <span className={classes.meta}>Another person must approve this version.</span>}
      {state === 'pending' && !isOwn && canApprove && (
        <Button size="xs" aria-label={`Approve version ${version}`} onClick={approve}>
          Approve…
        </Button>
      )}
    </li>
  )
}

type Values = Record<BoundName | 'retentionDays', NumberValue>

function initialOf(basis: ScanPolicy | undefined): Values {
  const bounds = boundNames.map((name) => [name, inUnit(name, basis?.bounds[name] ?? boundWords[name].default)])
  return { ...Object.fromEntries(bounds), retentionDays: basis?.retentionDays ?? retention.default } as Values
}

const ofBounds = <T,>(of: (name: BoundName) => T) =>
  Object.fromEntries(boundNames.map((name) => [name, of(name)])) as Record<BoundName, T>

const ranges = {
  ...ofBounds(boundRange),
  retentionDays: { min: retention.min, max: retention.max },
}

/** The lowest number of bytes is one, which says nothing in MB. */
function rangeWords(name: BoundName): string {
  const { min, max } = ranges[name]
  return min > 0 && min < 0.001 ? `At most ${numberText(max)}` : `${numberText(min)} to ${numberText(max)}`
}

function NewVersion({ basis, close, reopen }: DialogProps & { basis: ScanPolicy | undefined }) {
  const queryClient = useQueryClient()
  return (
    <FormDialog<Values, ScanPolicy>
      title="New version of the scan policy"
      submitLabel="Save the version"
      size="lg"
      what="the version of the scan policy"
      initial={initialOf(basis)}
      edits={{
        reload: () => refreshScanning(queryClient),
        labels: { ...ofBounds(boundLabel), retentionDays: 'Keep page content for (days)' },
      }}
      validate={(values) => numberProblems(values, ranges)}
      fieldOf={(path) => path.replace(/^bounds\./, '')}
      send={({ retentionDays, ...bounds }, { key }) =>
        dataOf(
          createScanPolicy({
            body: {
              basedOn: basis?.version ?? 0,
              bounds: Object.fromEntries(
                boundNames.flatMap((name) => {
                  const typed = numberOf(bounds[name], ranges[name])
                  return typed === null ? [] : [[name, fromUnit(name, typed)]]
                }),
              ),
              retentionDays: numberOf(retentionDays) ?? retention.default,
            },
            ...withKey(key),
          }),
        )
      }
      onSaved={() => {
        close()
        notifications.show({ message: 'Version saved. The version applies after another person approves it.' })
        void refreshScanning(queryClient)
      }}
      draft={{ name: 'scan-policy' }}
      close={close}
      reopen={reopen}
    >
      {({ form }) => (
        <div className={classes.bounds}>
          <NumberField
            label="Keep page content for (days)"
            description={`${retention.min} to ${retention.max}`}
            data-autofocus
            {...ranges.retentionDays}
            {...form.getInputProps('retentionDays')}
          />
          {boundNames.map((name) => (
            <NumberField
              key={name}
              label={boundLabel(name)}
              description={rangeWords(name)}
              {...ranges[name]}
              {...form.getInputProps(name)}
            />
          ))}
        </div>
      )}
    </FormDialog>
  )
}
