import type { ScoringRuleSet } from '@prospect/api-client'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { ActionButton } from '../../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../../ui/actions/actions.ts'
import { useRowKeys } from '../../../ui/actions/use-row-keys.ts'
import { useCan } from '../../../ui/api/session.ts'
import { DialogSlot } from '../../../ui/dialogs/dialog-slot.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Empty, NoPermission } from '../../../ui/layout/states.tsx'
import { ListBody } from '../../../ui/lists/list-body.tsx'
import { activeScoringQuery } from '../../../ui/prospects/active-scoring.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { Name } from '../../../ui/text/name.tsx'
import classes from '../scoring.module.css'
import { ruleSetsQuery } from '../scoring.queries.ts'
import { ScoringNav } from '../scoring-nav.tsx'
import { ActiveScores } from './active-scores.tsx'
import { CreateRuleSetDialog } from './rule-set-dialogs.tsx'
import { VersionStateMark } from './version-state.tsx'

/** The active scores, and the rule sets of the workspace. */
export function RuleSetsScreen() {
  if (!useCan('scoring.read')) return <NoPermission isPage what="scoring rules" />
  return <RuleSets />
}

function RuleSets() {
  const list = useInfiniteQuery(ruleSetsQuery)
  const [isCreating, setCreating] = useState(false)
  const create: Action = {
    id: 'scoring.create_rule_set',
    label: 'New rule set',
    group: 'Create',
    Icon: IconPlus,
    keys: 'n',
    keywords: 'score rules priority',
    permission: 'scoring.write',
    asksMore: true,
    run: () => setCreating(true),
  }
  useActions('screen', [create])
  return (
    <>
      <ScoringNav />
      <Page
        title="Scoring"
        lead="Rules that rank prospects. A second person approves every version, and every score names its version."
        actions={<ActionButton action={create} iconSize={16} />}
      >
        <h2 className={classes.part}>Active scores</h2>
        <ActiveScores />
        <h2 className={classes.part}>Rule sets</h2>
        <ListBody
          list={list}
          data={list.data}
          noun="rule sets"
          empty={
            <Empty title="There are no rule sets" action={<ActionButton action={create} />}>
              A rule set says which facts make a prospect worth working first. Begin with a template.
            </Empty>
          }
        >
          {(items) => <RuleSetTable ruleSets={items} />}
        </ListBody>
        <DialogSlot>
          {isCreating && <CreateRuleSetDialog close={() => setCreating(false)} reopen={() => setCreating(true)} />}
        </DialogSlot>
      </Page>
    </>
  )
}

function RuleSetTable({ ruleSets }: { ruleSets: ScoringRuleSet[] }) {
  const table = useRef<HTMLTableElement>(null)
  useRowKeys(table, 'rule set', 'Scoring')
  const active = useQuery(activeScoringQuery).data?.active ?? null
  return (
    <table ref={table} className={classes.table} aria-label="Rule sets">
      <thead>
        <tr>
          <th scope="col">Rule set</th>
          <th scope="col">Newest version</th>
          <th scope="col">Owner</th>
          <th scope="col">Changed</th>
        </tr>
      </thead>
      <tbody>
        {ruleSets.map((ruleSet) => (
          <tr key={ruleSet.id}>
            <td className={classes.value}>
              <Link to="/scoring/rule-sets/$ruleSetId" params={{ ruleSetId: ruleSet.id }}>
                <Name of={ruleSet.name} />
              </Link>
              {active?.ruleSet.id === ruleSet.id && (
                <span className={classes.soft}>The scores of version {active.version} are active</span>
              )}
            </td>
            <td>
              Version {ruleSet.newestVersion} <VersionStateMark state={ruleSet.newestState} />
            </td>
            <td>
              <Name of={ruleSet.owner.name} />
            </td>
            <td>
              <DateTime at={ruleSet.updatedAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
