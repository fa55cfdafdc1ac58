import { Tabs } from '@mantine/core'
import type { Business, PipelineState } from '@prospect/api-client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { ActivityTab } from '../../rooms/audit/activity-tab.tsx'
import { EvidenceTab, type OpenEvidence } from '../../rooms/evidence/evidence-tab.tsx'
import { InteractionsTab, type OpenInteraction } from '../../rooms/interactions/interactions-tab.tsx'
import { RecordDuplicates } from '../../rooms/matching/record-duplicates.tsx'
import { NotesTab } from '../../rooms/notes/notes-tab.tsx'
import { MoveMenuItems } from '../../rooms/pipeline/move-menu.tsx'
import { PipelineTab } from '../../rooms/pipeline/pipeline-tab.tsx'
import { BlockDialog } from '../../rooms/prospects/record/block-dialog.tsx'
import { EditRecord } from '../../rooms/prospects/record/edit-record.tsx'
import { Overview } from '../../rooms/prospects/record/overview.tsx'
import classes from '../../rooms/prospects/record/record.module.css'
import { RecordBands } from '../../rooms/prospects/record/record-bands.tsx'
import { PanelTop, type RecordActions, RecordHeader } from '../../rooms/prospects/record/record-header.tsx'
import { BlockReasons, LiftDialog } from '../../rooms/suppression/block-reasons.tsx'
import { useCan, useCanWork } from '../../ui/api/session.ts'
import { type Command, useCommands } from '../../ui/commands/commands.ts'
import { AutofocusContext } from '../../ui/focus/autofocus-context.ts'
import { useFocusAfter } from '../../ui/focus/use-focus-after.ts'
import { forgetDraftsOf } from '../../ui/forms/draft-storage.ts'
import { useIsMounted } from '../../ui/forms/use-is-mounted.ts'
import { useScrollCurrentIntoView } from '../../ui/layout/use-scroll-current-into-view.ts'
import { useStickyOpen } from '../../ui/layout/use-sticky-open.ts'
import { lazyPart } from '../../ui/lazy/lazy-part.tsx'
import { RecordBody } from '../../ui/lists/record-body.tsx'
import { answersOfRecord } from '../../ui/prospects/record-keys.ts'
import { businessQuery } from '../../ui/prospects/record-queries.ts'
import { nameText } from '../../ui/text/name-text.ts'

const EraseDialog = lazyPart('erase', () =>
  import('../../rooms/erasure/erase-dialog.tsx').then((module) => module.EraseDialog),
)

const tabs = ['overview', 'evidence', 'notes', 'interactions', 'pipeline', 'activity'] as const
type Tab = (typeof tabs)[number]
const tabNames: Record<Tab, string> = {
  overview: 'Overview',
  evidence: 'Evidence',
  notes: 'Notes',
  interactions: 'Interactions',
  pipeline: 'Pipeline',
  activity: 'Activity',
}

export type RecordViewProps = { businessId: string; variant: 'panel' | 'page' }

/** One record, beside the list or as a page. What is open in it stands in the address: `?tab=evidence`, `?tab=edit`. */
export function RecordView({ businessId, variant }: RecordViewProps) {
  const record = useQuery(businessQuery(businessId))
  const { close, openPage } = useRecordPlace()
  // One that is loaded has its own: it is not closed while it is edited.
  const isBare = variant === 'panel' && record.data === undefined
  useCommands(offered(isBare ? close : null, closing))
  return (
    <>
      {isBare && record.errorUpdateCount > 0 && <title>Prospect · Prospect Platform</title>}
      {isBare && (
        <header className={classes.header}>
          <PanelTop close={close} openPage={openPage} />
        </header>
      )}
      <RecordBody record={record} what="this prospect" lines={10} isPage={variant === 'page'}>
        {(business) => <Loaded key={businessId} business={business} variant={variant} />}
      </RecordBody>
    </>
  )
}

function useRecordPlace() {
  const { tab } = useSearch({ strict: false })
  const navigate = useNavigate()
  // The same entry of the history: Back leaves the record, it does not walk through its tabs.
  const go = (next: Tab | 'edit') =>
    void navigate({
      to: '.',
      search: ({ tab: _, ...rest }) => (next === 'overview' ? rest : { ...rest, tab: next }),
      replace: true,
      state: true,
      resetScroll: false,
    })
  const close = () => void navigate({ to: '/prospects', search: ({ tab: _, ...rest }) => rest })
  const openPage = () => void navigate({ to: '.', search: true, state: {} })
  /** Works from any page. */
  const editOf = (businessId: string) =>
    void navigate({ to: '/prospects/$businessId', params: { businessId }, search: { tab: 'edit' } })
  return { shown: tab, go, close, openPage, editOf }
}

function Loaded({ business, variant }: { business: Business; variant: 'panel' | 'page' }) {
  const { shown, go, close, openPage, editOf } = useRecordPlace()
  const isHere = useIsMounted()
  const reopenEdit = () => (isHere() ? go('edit') : editOf(business.id))
  const [evidence, setEvidence] = useState<OpenEvidence>()
  const [interaction, setInteraction] = useState<OpenInteraction>()
  const [askedMove, setAskedMove] = useState<PipelineState | null>(null)
  const [noteFocus, setNoteFocus] = useState(0)
  const [isBlocking, setIsBlocking] = useState(false)
  const [isLifting, setIsLifting] = useState(false)
  const [isErasing, setIsErasing] = useState(false)
  const queryClient = useQueryClient()
  const isErased = business.erasedAt !== null
  const canEdit = useCanWork('businesses.write', business)
  const canNote = useCanWork('notes.write', business)
  const canAddEvidence = useCanWork('evidence.write', business)
  const canInteract = useCanWork('interactions.write', business)
  const canMove = useCanWork('pipeline.move', business)
  const isBlockedByHand = business.doNotContact !== null && business.doNotContact.through !== 'suppression'
  const canBlock = useCan('businesses.block') && !isBlockedByHand && !isErased
  const canErase = useCan('erasure.erase') && business.status !== 'merged' && !isErased
  const isEditing = useStickyOpen(shown === 'edit' && !isErased, canEdit)
  const tab = tabs.find((name) => name === shown) ?? 'overview'
  const strip = useScrollCurrentIntoView<HTMLDivElement>(tab)

  useEffect(() => {
    if (!isErased) return
    forgetDraftsOf(business.id)
    queryClient.removeQueries({ queryKey: answersOfRecord(business.id), type: 'inactive' })
  }, [isErased, business.id, queryClient])

  const article = useRef<HTMLElement>(null)
  useFocusAfter(isEditing, article)

  // The next form that opens was asked for, and takes the focus. One that is still open when its tab is come to leaves it on the tab.
  const isFormAsked = useRef(false)
  const takesFocus = useCallback(() => {
    const isAsked = isFormAsked.current
    isFormAsked.current = false
    return isAsked
  }, [])
  const askEvidence = (open: OpenEvidence) => {
    isFormAsked.current = open !== undefined
    setEvidence(open)
  }
  const askInteraction = (open: OpenInteraction) => {
    isFormAsked.current = open !== undefined
    setInteraction(open)
  }
  const askMove = (to: PipelineState | null) => {
    isFormAsked.current = to !== null
    setAskedMove(to)
  }
  const openEvidence = (open: OpenEvidence) => {
    askEvidence(open)
    go('evidence')
  }
  const writeNote = () => {
    isFormAsked.current = true
    setNoteFocus((count) => count + 1)
    go('notes')
  }
  const recordInteraction = () => {
    askInteraction(null)
    go('interactions')
  }
  const askReason = (to: PipelineState) => {
    askMove(to)
    go('pipeline')
  }
  const actions: RecordActions = {
    edit: canEdit ? () => go('edit') : null,
    note: canNote ? writeNote : null,
    addEvidence: canAddEvidence ? () => openEvidence(null) : null,
    block: canBlock ? () => setIsBlocking(true) : null,
    erase: canErase ? () => setIsErasing(true) : null,
  }
  useCommands([
    ...offered(isEditing ? null : actions.edit, {
      id: 'record.edit',
      label: `Edit ${nameText(business.name)}`,
      keys: 'e',
    }),
    ...offered(actions.note, { id: 'record.note', label: 'Write a note', keys: 'n' }),
    ...offered(actions.addEvidence, { id: 'record.evidence', label: 'Add evidence' }),
    ...offered(canInteract ? recordInteraction : null, {
      id: 'record.interaction',
      label: 'Record an interaction',
      keys: 'i',
    }),
    ...offered(() => go('pipeline'), { id: 'record.move', label: 'Move in the pipeline' }),
    ...offered(actions.block, { id: 'record.block', label: 'Mark as do not contact' }),
    ...offered(variant === 'panel' && !isEditing ? close : null, closing),
  ])

  return (
    <article
      ref={article}
      tabIndex={-1}
      className={classes.record}
      data-variant={variant}
      aria-label={nameText(business.name)}
    >
      <title>{`${nameText(business.name)} · Prospect Platform`}</title>
      <RecordHeader
        business={business}
        variant={variant}
        actions={isEditing || isErased ? null : actions}
        close={close}
        openPage={openPage}
        moveMenu={canMove ? <MoveMenuItems business={business} askReason={askReason} /> : null}
      />
      <RecordBands business={business} why={<BlockReasons business={business} lift={() => setIsLifting(true)} />} />
      {!isEditing && <RecordDuplicates business={business} />}
      {isEditing ? (
        <EditRecord business={business} close={() => go('overview')} reopen={reopenEdit} />
      ) : (
        <AutofocusContext value={takesFocus}>
          <Tabs
            value={tab}
            onChange={(next) => {
              // Whoever goes to a tab asks for no form.
              isFormAsked.current = false
              go(tabs.find((name) => name === next) ?? 'overview')
            }}
            keepMounted={false}
          >
            <Tabs.List ref={strip} className={classes.tabs} aria-label="Parts of the record">
              {tabs.map((name) => (
                <Tabs.Tab key={name} value={name}>
                  {tabNames[name]}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value="overview">
              <Overview
                business={business}
                canEdit={canEdit}
                addEvidence={
                  canAddEvidence ? ({ field, value }) => value !== null && openEvidence({ field, value }) : null
                }
              />
            </Tabs.Panel>
            <Tabs.Panel value="evidence">
              <EvidenceTab business={business} open={isErased ? undefined : evidence} setOpen={askEvidence} />
            </Tabs.Panel>
            <Tabs.Panel value="notes">
              <NotesTab business={business} focusCount={noteFocus} />
            </Tabs.Panel>
            <Tabs.Panel value="interactions">
              <InteractionsTab business={business} open={isErased ? undefined : interaction} setOpen={askInteraction} />
            </Tabs.Panel>
            <Tabs.Panel value="pipeline">
              <PipelineTab business={business} asking={askedMove} setAsking={askMove} />
            </Tabs.Panel>
            <Tabs.Panel value="activity">
              <ActivityTab businessId={business.id} />
            </Tabs.Panel>
          </Tabs>
        </AutofocusContext>
      )}
      {isBlocking && (
        <BlockDialog business={business} close={() => setIsBlocking(false)} reopen={() => setIsBlocking(true)} />
      )}
      {isErasing && (
        <EraseDialog business={business} close={() => setIsErasing(false)} reopen={() => setIsErasing(true)} />
      )}
      {isLifting && (
        <LiftDialog business={business} close={() => setIsLifting(false)} reopen={() => setIsLifting(true)} />
      )}
    </article>
  )
}

const closing = { id: 'record.close', label: 'Close the record', keys: 'Escape' }

/** The command for something that can be done here; null: the person may not, or the record takes none. */
const offered = (run: (() => void) | null, command: Omit<Command, 'group' | 'run'>): Command[] =>
  run === null ? [] : [{ ...command, group: 'This prospect', run }]
