import { notifications } from '@mantine/notifications'
import {
  arrangeDashboard,
  deleteSavedFilter,
  editSavedFilter,
  getArrangement,
  lockSavedFilter,
  type SavedFilter,
  unlockSavedFilter,
} from '@prospect/api-client'
import {
  IconBookmark,
  IconEdit,
  IconLayoutDashboard,
  IconLock,
  IconLockOpen,
  IconStar,
  IconTool,
  IconTrash,
  IconUserCheck,
  IconUsers,
} from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { ActionButton } from '../../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../../ui/actions/actions.ts'
import { sentenceOf } from '../../../ui/api/api-problem.ts'
import { ifMatch, withKey } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { newKey } from '../../../ui/api/idempotency.ts'
import { useCan, useSession } from '../../../ui/api/session.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import { useDialog } from '../../../ui/dialogs/use-dialog.tsx'
import { BackLink } from '../../../ui/layout/back-link.tsx'
import { Fact, Facts } from '../../../ui/layout/facts.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { RecordBody } from '../../../ui/lists/record-body.tsx'
import { RemovedList } from '../../../ui/prospects/removed-list.tsx'
import { withoutValue } from '../../../ui/prospects/without-value.ts'
import { localSentence } from '../../../ui/text/api-sentence.ts'
import { countWords, totalWords } from '../../../ui/text/count-words.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { Name } from '../../../ui/text/name.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import classes from '../review.module.css'
import { predicateQuery } from '../review.queries.ts'
import { deskNames, problemWords, sharingWords } from './filter-texts.ts'
import { RenameDialog } from './rename-dialog.tsx'
import { defaultsQuery, isBroken, refreshFilters, savedFilterQuery, setDefault } from './saved-filters.queries.ts'

/** Page of a saved filter: its conditions, sharing and actions. */
export function FilterScreen() {
  const { savedFilterId } = useParams({ from: '/desk/review/filters/$savedFilterId' })
  const filter = useQuery(savedFilterQuery(savedFilterId))
  return (
    <RecordBody record={filter} what="this filter" lines={8}>
      {(loaded) => <FilterPage key={savedFilterId} filter={loaded} />}
    </RecordBody>
  )
}

type Step = { id: string; words: string; run: () => Promise<unknown> }

export function FilterPage({ filter }: { filter: SavedFilter }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { user } = useSession()
  const canShare = useCan('saved_filters.share')
  const canManage = useCan('saved_filters.manage')
  const defaults = useQuery(defaultsQuery).data
  const renaming = useDialog()
  const deleting = useDialog()
  const path = { savedFilterId: filter.id }
  const edit = (body: Parameters<typeof editSavedFilter>[0]['body']) =>
    dataOf(editSavedFilter({ path, body, ...ifMatch(filter.version) }))
  const stepKey = ['step of a saved filter', filter.id]
  const step = useMutation({
    mutationKey: stepKey,
    meta: { isTold: true },
    mutationFn: ({ run }: Step) => run(),
    onSuccess: (_, { words }) => notifications.show({ message: words }),
    onSettled: () => refreshFilters(queryClient),
  })
  const remove = useMutation({
    meta: { isTold: true },
    mutationFn: () => dataOf(deleteSavedFilter({ path })),
    onSuccess: async () => {
      await navigate({ to: '/review/filters', replace: true })
      queryClient.removeQueries({ queryKey: savedFilterQuery(filter.id).queryKey })
      void refreshFilters(queryClient)
      notifications.show({ message: `Deleted: ${nameText(filter.name)}` })
    },
  })

  const { desk, isLocked, mayChange, ownerLeft } = filter
  const isShared = filter.sharing === 'tenant'
  const isOwnDefault = defaults?.own[desk] === filter.id
  const isTenantDefault = defaults?.tenant[desk] === filter.id
  const group = 'This filter'
  // Each step is based on the version that the previous one returns, so one runs at a time.
  const does = (id: string, words: string, run: Step['run']) => () => {
    if (queryClient.isMutating({ mutationKey: stepKey }) === 0) step.mutate({ id, words, run })
  }
  const steps: Action[] = [
    {
      id: 'filter.repair',
      label: 'Save without the broken conditions',
      group,
      Icon: IconTool,
      unavailable: !isBroken(filter) || (!mayChange && 'Only the owner of the filter can repair it.'),
      run: does('filter.repair', 'Repaired. The filter is applied again.', () => edit({ filter: filter.filter })),
    },
    {
      id: 'filter.use',
      label: 'Open the list',
      group,
      Icon: IconBookmark,
      unavailable: isBroken(filter),
      to: desk === 'review' ? '/review' : '/prospects',
      search: { saved: filter.id },
    },
    {
      id: 'filter.rename',
      label: 'Rename',
      group,
      Icon: IconEdit,
      asksMore: true,
      unavailable: !mayChange,
      run: () => renaming.open(),
    },
    {
      id: 'filter.share',
      label: isShared ? 'Make it private' : 'Share it with the workspace',
      group,
      Icon: IconUsers,
      unavailable: !mayChange || (!isShared && !canShare),
      run: does('filter.share', isShared ? 'The filter is now private.' : 'The filter is now shared.', () =>
        edit({ sharing: isShared ? 'private' : 'tenant' }),
      ),
    },
    {
      id: 'filter.lock',
      label: isLocked ? 'Unlock' : 'Lock',
      group,
      Icon: isLocked ? IconLockOpen : IconLock,
      permission: 'saved_filters.manage',
      unavailable: !isShared,
      run: does('filter.lock', isLocked ? 'The filter is now unlocked.' : 'The filter is now locked.', () =>
        isLocked ? dataOf(unlockSavedFilter({ path })) : dataOf(lockSavedFilter({ path, ...withKey(newKey()) })),
      ),
    },
    {
      id: 'filter.default',
      label: isOwnDefault ? 'No longer my default' : 'Make it my default',
      group,
      Icon: IconStar,
      unavailable: defaults === undefined,
      run: does('filter.default', `The list ${isOwnDefault ? 'no longer opens' : 'opens'} with this filter.`, () =>
        setDefault(queryClient, { scope: 'own', desk, filterId: isOwnDefault ? null : filter.id }),
      ),
    },
    {
      id: 'filter.tenant_default',
      label: isTenantDefault ? 'No longer the default of the workspace' : 'Make it the default of the workspace',
      group,
      Icon: IconStar,
      permission: 'saved_filters.manage',
      unavailable: defaults === undefined || !isShared,
      run: does('filter.tenant_default', 'Default of the workspace changed.', () =>
        setDefault(queryClient, { scope: 'tenant', desk, filterId: isTenantDefault ? null : filter.id }),
      ),
    },
    {
      id: 'filter.pin',
      label: 'Pin on the dashboard',
      group,
      Icon: IconLayoutDashboard,
      permission: 'dashboard.read',
      run: does('filter.pin', 'Pinned on your dashboard.', () => pin(`filter:${filter.id}`)),
    },
    {
      id: 'filter.take_over',
      label: 'Become its owner',
      group,
      Icon: IconUserCheck,
      permission: 'saved_filters.manage',
      unavailable: !ownerLeft || !isShared,
      run: does('filter.take_over', 'You are now the owner of the filter.', () => edit({ takeOver: true })),
    },
    {
      id: 'filter.delete',
      label: 'Delete',
      group,
      Icon: IconTrash,
      isDangerous: true,
      asksMore: true,
      unavailable: !mayChange && !(ownerLeft && canManage),
      run: () => deleting.open(),
    },
  ]
  const actions = steps.map((action): Action => {
    if (!step.isPending || 'to' in action) return action
    if (action.id === step.variables.id) return { ...action, isBusy: true }
    return { ...action, unavailable: action.unavailable || 'Another change to this filter is being saved.' }
  })
  useActions('screen', actions)
  return (
    <Page
      width="text"
      title={<Name of={filter.name} />}
      tab={nameText(filter.name)}
      lead={`${deskNames[desk]}. ${sharingWords(filter)}.`}
      back={<BackLink to="/review/filters">Saved filters</BackLink>}
    >
      <div className={classes.stack}>
        {isBroken(filter) && (
          <p role="alert" className={classes.warning}>
            This filter is not applied until someone repairs it. Without the broken condition, the filter would find too
            many prospects.
          </p>
        )}
        <div className={classes.buttons}>
          {actions.map((action) => (
            <ActionButton key={action.id} action={action} size="compact-sm" variant="default" />
          ))}
        </div>
        {step.isError && (
          <p role="alert" className="pp-refusal">
            {sentenceOf(step.error)}
          </p>
        )}
        <Facts>
          <Fact label="Finds">
            {isBroken(filter) ? (
              `${countWords(filter.filter.length, 'condition', 'conditions')} that can be read`
            ) : (
              <Words filter={filter} />
            )}
          </Fact>
          {filter.problems.length > 0 && (
            <Fact label="Problems">
              {filter.problems.map((problem) => (
                <div key={`${problem.field} ${problem.problem}`}>{problemWords(problem)}</div>
              ))}
            </Fact>
          )}
          {filter.removed.length > 0 && (
            <Fact label="Removed values">
              <RemovedList
                removed={filter.removed}
                remove={
                  !mayChange || isBroken(filter)
                    ? null
                    : (one) =>
                        does('filter.removed', 'Value removed from the filter.', () =>
                          edit({ filter: withoutValue(filter.filter, one) }),
                        )()
                }
              />
            </Fact>
          )}
          <Fact label="Owner">
            {filter.owner.id === user.id ? 'You' : <Name of={filter.owner.name} />}
            {ownerLeft && ', who left the workspace'}
          </Fact>
          <Fact label="Changed">
            <DateTime at={filter.updatedAt} as="dateTime" />
          </Fact>
        </Facts>
      </div>
      {renaming.slot((_, dialog) => (
        <RenameDialog filter={filter} {...dialog} />
      ))}
      {deleting.slot((_, { close }) => (
        <ConfirmDialog
          title={`Delete ${nameText(filter.name)}?`}
          confirmLabel="Delete the filter"
          tone="danger"
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={close}
        >
          The prospects do not change. Lists that open with this filter use the next default filter. Dashboard tiles of
          this filter show that it was deleted.
        </ConfirmDialog>
      ))}
    </Page>
  )
}

/** Conditions of the filter in the server's words, with the current count. */
function Words({ filter }: { filter: SavedFilter }) {
  const canRead = useCan('review.read')
  const predicate = useQuery({ ...predicateQuery({ conditions: filter.filter }), enabled: canRead })
  if (predicate.data === undefined) return predicate.isError ? sentenceOf(predicate.error) : 'Reading the conditions'
  const { total } = predicate.data
  return (
    <>
      {localSentence(predicate.data.predicate.words)}
      {total !== null && (
        <>
          {' '}
          <Link to={filter.desk === 'review' ? '/review' : '/prospects'} search={{ saved: filter.id }}>
            {totalWords(total, 'matches', 'match')}
          </Link>
        </>
      )}
    </>
  )
}

/** Adds a tile to the end of the user's dashboard. */
async function pin(key: string): Promise<unknown> {
  const { version, tiles } = await dataOf(getArrangement())
  const others = tiles.filter((tile) => tile.key !== key)
  return dataOf(arrangeDashboard({ body: { tiles: [...others, { key, isHidden: false }] }, ...ifMatch(version) }))
}
