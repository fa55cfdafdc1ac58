import type { ScoringRuleSet } from '@prospect/api-client'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ActionButton } from '../../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../../ui/actions/actions.ts'
import { useDialog } from '../../../ui/dialogs/use-dialog.tsx'
import { Empty } from '../../../ui/layout/states.tsx'
import cells from '../../../ui/lists/cells.module.css'
import { ListScreen } from '../../../ui/lists/list-screen.tsx'
import type { DataColumn } from '../../../ui/lists/table/table-types.ts'
import { activeScoringQuery } from '../../../ui/prospects/active-scoring.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { Name } from '../../../ui/text/name.tsx'
import classes from '../scoring.module.css'
import { ruleSetPages } from '../scoring.queries.ts'
import { ActiveScores } from './active-scores.tsx'
import { CreateRuleSetDialog } from './rule-set-dialogs.tsx'
import { VersionStateMark } from './version-state.tsx'

/** Page with the active scores and the rule sets of the workspace. */
export function RuleSetsScreen() {
  const creating = useDialog()
  const create: Action = {
    id: 'scoring.create_rule_set',
    label: 'New rule set',
    group: 'Create',
    Icon: IconPlus,
    keys: 'shift+n',
    keywords: 'score rules priority',
    permission: 'scoring.write',
    asksMore: true,
    run: () => creating.open(),
  }
  useActions('screen', [create])
  return (
    <ListScreen
      name="rule-sets"
      nouns={{ one: 'rule set', many: 'rule sets' }}
      title="Scoring"
      label="Rule sets"
      lead="Rules that rank prospects. A second person approves each version. Each score shows the version that computed it."
      actions={<ActionButton action={create} iconSize={16} />}
      isWrapped
      columns={columns}
      pages={ruleSetPages}
      notices={
        <>
          <h2 className={classes.part}>Active scores</h2>
          <ActiveScores />
          <h2 className={classes.part}>Rule sets</h2>
        </>
      }
      clear={null}
      empty={
        <Empty title="No rule sets yet" action={<ActionButton action={create} variant="default" />}>
          A rule set defines which facts make a prospect worth working on first. Start from a template.
        </Empty>
      }
    >
      {creating.slot((_, dialog) => (
        <CreateRuleSetDialog {...dialog} />
      ))}
    </ListScreen>
  )
}

const columns: readonly DataColumn<ScoringRuleSet>[] = [
  {
    id: 'ruleSet',
    label: 'Rule set',
    width: 18,
    isFixed: true,
    isGrowing: true,
    render: (ruleSet) => (
      <>
        <Link to="/scoring/rule-sets/$ruleSetId" params={{ ruleSetId: ruleSet.id }} className={cells.name}>
          <Name of={ruleSet.name} />
        </Link>
        <ActiveVersion ruleSet={ruleSet} />
      </>
    ),
  },
  {
    id: 'version',
    label: 'Newest version',
    width: 13,
    render: (ruleSet) => (
      <>
        Version {ruleSet.newestVersion} <VersionStateMark state={ruleSet.newestState} />
      </>
    ),
  },
  { id: 'owner', label: 'Owner', width: 11, render: (ruleSet) => <Name of={ruleSet.owner.name} /> },
  { id: 'updatedAt', label: 'Changed', width: 8, render: (ruleSet) => <DateTime at={ruleSet.updatedAt} /> },
]

function ActiveVersion({ ruleSet }: { ruleSet: ScoringRuleSet }) {
  const active = useQuery(activeScoringQuery).data?.active ?? null
  if (active?.ruleSet.id !== ruleSet.id) return null
  return <span className={cells.under}>The scores of version {active.version} are active</span>
}
