import type { ScoringRuleSet, ScoringVersionSummary } from '@prospect/api-client'
import { IconPencil } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useRef } from 'react'
import { ActionButton } from '../../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../../ui/actions/actions.ts'
import { useRowKeys } from '../../../ui/actions/use-row-keys.ts'
import { useDialog } from '../../../ui/dialogs/use-dialog.tsx'
import { BackLink } from '../../../ui/layout/back-link.tsx'
import { Fact, Facts } from '../../../ui/layout/facts.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Empty } from '../../../ui/layout/states.tsx'
import { FixedTable } from '../../../ui/lists/fixed-table.tsx'
import { ListBody } from '../../../ui/lists/list-body.tsx'
import { RecordBody } from '../../../ui/lists/record-body.tsx'
import { activeScoringQuery } from '../../../ui/prospects/active-scoring.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { Name } from '../../../ui/text/name.tsx'
import classes from '../scoring.module.css'
import { ruleSetQuery, versionsQuery } from '../scoring.queries.ts'
import { EditRuleSetDialog } from './rule-set-dialogs.tsx'
import { VersionStateMark } from './version-state.tsx'
import { stepsOf } from './version-words.ts'

/** Page of a rule set with its versions, newest first. */
export function RuleSetScreen() {
  const { ruleSetId } = useParams({ from: '/desk/scoring/rule-sets/$ruleSetId' })
  const ruleSet = useQuery(ruleSetQuery(ruleSetId))
  return (
    <RecordBody record={ruleSet} what="this rule set" lines={10}>
      {(loaded) => <RuleSetPage key={ruleSetId} ruleSet={loaded} />}
    </RecordBody>
  )
}

function RuleSetPage({ ruleSet }: { ruleSet: ScoringRuleSet }) {
  const editing = useDialog()
  const versions = useInfiniteQuery(versionsQuery(ruleSet.id))
  const edit: Action = {
    id: 'scoring.edit_rule_set',
    label: 'Edit name and owner',
    group: 'Rule set',
    Icon: IconPencil,
    keys: 'e',
    permission: 'scoring.write',
    asksMore: true,
    run: () => editing.open(),
  }
  useActions('screen', [edit])
  return (
    <Page
      width="text"
      title={<Name of={ruleSet.name} />}
      tab={ruleSet.name}
      lead={ruleSet.description === null ? undefined : <Name of={ruleSet.description} />}
      back={<BackLink to="/scoring">Scoring</BackLink>}
      actions={<ActionButton action={edit} iconSize={16} variant="default" />}
    >
      <Facts>
        <Fact label="Owner">
          <Name of={ruleSet.owner.name} />
        </Fact>
        <Fact label="Created">
          <DateTime at={ruleSet.createdAt} as="date" /> by <Name of={ruleSet.createdBy.name} />
        </Fact>
      </Facts>
      <h2 className={classes.part}>Versions</h2>
      <ListBody list={versions} data={versions.data} noun="versions" empty={<Empty title="No versions" />}>
        {(items) => <VersionTable ruleSet={ruleSet} versions={items} />}
      </ListBody>
      {editing.slot((_, dialog) => (
        <EditRuleSetDialog ruleSet={ruleSet} {...dialog} />
      ))}
    </Page>
  )
}

type TableProps = { ruleSet: ScoringRuleSet; versions: ScoringVersionSummary[] }

function VersionTable({ ruleSet, versions }: TableProps) {
  const table = useRef<HTMLTableElement>(null)
  useRowKeys(table, 'version', 'Rule set')
  const active = useQuery(activeScoringQuery).data?.active ?? null
  return (
    <FixedTable look="stacked" ref={table} className={classes.table} aria-label="Versions">
      <thead>
        <tr>
          <th scope="col">Version</th>
          <th scope="col">State</th>
          <th scope="col">From</th>
          <th scope="col">Last step</th>
        </tr>
      </thead>
      <tbody>
        {versions.map((version) => {
          const last = stepsOf(version).at(-1)
          return (
            <tr key={version.version}>
              <td>
                <Link
                  to="/scoring/rule-sets/$ruleSetId/versions/$version"
                  params={{ ruleSetId: ruleSet.id, version: String(version.version) }}
                >
                  Version {version.version}
                </Link>
                {active?.ruleSet.id === ruleSet.id && active.version === version.version && (
                  <span className={classes.soft}>Its scores are active</span>
                )}
              </td>
              <td>
                <VersionStateMark state={version.state} />
              </td>
              <td>{originWords(version)}</td>
              <td>
                {last !== undefined && (
                  <>
                    {last.words} <DateTime at={last.at} />
                    {last.by !== null && (
                      <>
                        {' '}
                        by <Name of={last.by.name} />
                      </>
                    )}
                  </>
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </FixedTable>
  )
}

function originWords({ basedOn, template }: ScoringVersionSummary): string {
  if (basedOn !== null) return `Version ${basedOn}`
  return template === null ? '–' : `Template ${template}`
}
