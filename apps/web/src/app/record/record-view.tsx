import { Button, Menu, Tabs } from '@mantine/core'
import type { Business, Permission } from '@prospect/api-client'
import { IconChevronDown } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import classes from '../../rooms/prospects/record/record.module.css'
import { RecordBands } from '../../rooms/prospects/record/record-bands.tsx'
import { PanelTop, RecordHeader } from '../../rooms/prospects/record/record-header.tsx'
import { useActions } from '../../ui/actions/actions.ts'
import { useSession } from '../../ui/api/session.ts'
import { DialogSlot } from '../../ui/dialogs/dialog-slot.tsx'
import { AutofocusContext } from '../../ui/focus/autofocus-context.ts'
import { useFocusAfter } from '../../ui/focus/use-focus-after.ts'
import { forgetDraftsOf } from '../../ui/forms/draft-storage.ts'
import { useIsMounted } from '../../ui/forms/use-is-mounted.ts'
import { useScrollCurrentIntoView } from '../../ui/layout/use-scroll-current-into-view.ts'
import { useStickyOpen } from '../../ui/layout/use-sticky-open.ts'
import { RecordBody } from '../../ui/lists/record-body.tsx'
import { answersOfRecord } from '../../ui/prospects/record-keys.ts'
import { businessQuery } from '../../ui/prospects/record-queries.ts'
import { RecordPageContext } from '../../ui/rooms/record-page.ts'
import type {
  OfferedRecordAction,
  RecordPage,
  RecordParts,
  RecordTab,
  RecordTabPart,
} from '../../ui/rooms/record-parts.ts'
import { nameText } from '../../ui/text/name-text.ts'

type Parts = Required<RecordParts>
export type RecordViewProps = {
  businessId: string
  variant: 'panel' | 'page'
  /** List to which the record closes; the default is the prospects. */
  home?: '/prospects' | '/review' | undefined
}

/** One record, in a panel or as a page. The open tab is in the address: `?tab=evidence`, `?tab=edit`. */
export function RecordView({ parts, businessId, variant, home }: RecordViewProps & { parts: Parts }) {
  const record = useQuery(businessQuery(businessId))
  const { close, openPage } = useRecordAddress(businessId, home)
  // Only before the record is loaded. A loaded record registers its own close action, which is disabled during editing.
  const isBare = variant === 'panel' && record.data === undefined
  useActions('record', isBare ? [{ ...closing, run: close }] : [])
  return (
    <>
      {isBare && record.errorUpdateCount > 0 && <title>Prospect · Prospect Platform</title>}
      {isBare && (
        <header className={classes.header}>
          <PanelTop close={close} openPage={openPage} />
        </header>
      )}
      <RecordBody record={record} what="this prospect" lines={10} isPage={variant === 'page'}>
        {(business) => <Loaded key={businessId} parts={parts} business={business} variant={variant} home={home} />}
      </RecordBody>
    </>
  )
}

function useRecordAddress(businessId: string, home: RecordViewProps['home'] = '/prospects') {
  const { tab } = useSearch({ strict: false })
  const navigate = useNavigate()
  // Replaces the history entry, so that Back leaves the record instead of going through its tabs.
  const showTab = (next: string | undefined) =>
    void navigate({
      to: '.',
      search: ({ tab: _, ...rest }) => (next === undefined ? rest : { ...rest, tab: next }),
      replace: true,
      state: true,
      resetScroll: false,
    })
  const close = () => void navigate({ to: home, search: ({ tab: _, ...rest }) => rest })
  const openPage = () =>
    void navigate(
      home === '/prospects'
        ? { to: '.', search: true, state: {} }
        : { to: '/prospects/$businessId', params: { businessId } },
    )
  /** Opens a tab of any record, from any page. */
  const openRecordAt = (id: string, next: string) =>
    void navigate({ to: '/prospects/$businessId', params: { businessId: id }, search: { tab: next } })
  return { shown: tab, showTab, close, openPage, openRecordAt }
}

type LoadedProps = Pick<RecordViewProps, 'variant' | 'home'> & { parts: Parts; business: Business }

function Loaded({ parts, business, variant, home }: LoadedProps) {
  const { shown, showTab, close, openPage, openRecordAt } = useRecordAddress(business.id, home)
  const isMounted = useIsMounted()
  const [dialog, setDialog] = useState<string | null>(null)
  const queryClient = useQueryClient()
  const isErased = business.erasedAt !== null

  const first = parts.tabs[0]?.id
  const openTab = (id: string) => showTab(id === first ? undefined : id)
  const { forms, openForm, takesFocus, noteTabChange } = useForms(openTab, isErased)

  const { permissions, user } = useSession()
  const may = (permission: Permission | undefined) => permission === undefined || permissions.includes(permission)
  const isWorkable = business.status === 'active'
  const asked = parts.modes.find(({ id }) => id === shown)
  const isInMode = useStickyOpen(asked !== undefined && !isErased, isWorkable && may(asked?.permission))
  const mode = isInMode ? asked : undefined

  useEffect(() => {
    if (!isErased) return
    forgetDraftsOf(business.id)
    queryClient.removeQueries({ queryKey: answersOfRecord(business.id), type: 'inactive' })
  }, [isErased, business.id, queryClient])

  const article = useRef<HTMLElement>(null)
  useFocusAfter(isInMode, article)

  const taken = parts.actions.filter(
    ({ permission, isTaken }) => may(permission) && (isTaken?.(business, { userId: user.id, may }) ?? isWorkable),
  )
  const actions = taken.map(
    ({ label, run, isTaken: _, opensMode, ...action }): OfferedRecordAction => ({
      ...action,
      label: typeof label === 'string' ? label : label(business),
      group,
      unavailable: opensMode !== undefined && opensMode === mode?.id,
      run: () => run(page),
    }),
  )
  const page: RecordPage = { actions, openTab, openForm, openDialog: setDialog }
  const closes = variant === 'panel' && !isInMode
  useActions('record', [...actions, ...(closes ? [{ ...closing, run: close }] : [])])

  return (
    <RecordPageContext value={{ page, ...forms }}>
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
          actions={isInMode || isErased ? [] : actions}
          close={close}
          openPage={openPage}
        />
        <RecordBands business={business} notices={parts.blockNotices} />
        {!isInMode &&
          parts.notices.map((Notice, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rooms never change their order
            <Notice key={index} business={business} />
          ))}
        {mode === undefined ? (
          <AutofocusContext value={takesFocus}>
            <RecordTabs
              tabs={parts.tabs.filter(({ permission }) => may(permission))}
              tabParts={parts.tabParts.filter(({ permission }) => may(permission))}
              business={business}
              shown={shown}
              show={(id) => {
                noteTabChange()
                openTab(id)
              }}
            />
          </AutofocusContext>
        ) : (
          <mode.Content
            business={business}
            close={() => showTab(undefined)}
            reopen={() => (isMounted() ? openTab(mode.id) : openRecordAt(business.id, mode.id))}
          />
        )}
        <DialogSlot>
          {parts.dialogs.map(
            ({ id, Content }) =>
              id === dialog && (
                <Content key={id} business={business} close={() => setDialog(null)} reopen={() => setDialog(id)} />
              ),
          )}
        </DialogSlot>
      </article>
    </RecordPageContext>
  )
}

/** Open forms by tab. A newly opened form takes the focus; a form that was already open when the user returns to its tab does not. */
function useForms(openTab: (id: string) => void, isErased: boolean) {
  const [starts, setStarts] = useState<ReadonlyMap<string, unknown>>(new Map())
  const isAsked = useRef(false)
  const takesFocus = useCallback(() => {
    const wasAsked = isAsked.current
    isAsked.current = false
    return wasAsked
  }, [])
  const setStart = (form: string, start: unknown) => {
    isAsked.current = start !== undefined
    setStarts((before) => new Map(before).set(form, start))
  }
  return {
    forms: { starts: isErased ? noForms : starts, setStart },
    openForm: <Start,>({ id, tab }: { id: string; tab: string }, start: Start) => {
      setStart(id, start)
      openTab(tab)
    },
    takesFocus,
    noteTabChange: () => {
      isAsked.current = false
    },
  }
}

const noForms: ReadonlyMap<string, unknown> = new Map()

type RecordTabsProps = {
  tabs: readonly RecordTab[]
  tabParts: readonly RecordTabPart[]
  business: Business
  shown: string | undefined
  show: (id: string) => void
}

/** Tabs of daily work and the open one; the others are in a menu beside them. */
function RecordTabs({ tabs, tabParts, business, shown, show }: RecordTabsProps) {
  const part = tabParts.find(({ id }) => id !== undefined && id === shown)
  const current = tabs.find(({ id }) => id === (part?.tab ?? shown)) ?? tabs[0]
  const strip = useScrollCurrentIntoView<HTMLDivElement>(current?.id ?? '')
  const isInStrip = (tab: RecordTab) => tab.position !== undefined || tab === current
  const others = tabs.filter((tab) => !isInStrip(tab))
  const partsOf = (tab: string, isAbove: boolean) =>
    tabParts.map(
      (one, index) =>
        one.tab === tab &&
        (one.isAbove === true) === isAbove && (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rooms never change their order
          <TabPart key={index} isAsked={one === part}>
            <one.Content business={business} />
          </TabPart>
        ),
    )
  return (
    <Tabs value={current?.id ?? null} onChange={(next) => next !== null && show(next)} keepMounted={false}>
      <div className={classes.tabs}>
        <Tabs.List ref={strip} className={classes.strip} aria-label="Sections of the record">
          {tabs.filter(isInStrip).map(({ id, label }) => (
            <Tabs.Tab key={id} value={id}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {others.length > 0 && (
          <Menu position="bottom-end" withinPortal>
            <Menu.Target>
              <Button
                variant="subtle"
                size="compact-sm"
                color="gray"
                style={{ fontWeight: 400 }}
                aria-label="More sections"
                rightSection={<IconChevronDown size={14} aria-hidden />}
              >
                More
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {others.map(({ id, label }) => (
                <Menu.Item key={id} onClick={() => show(id)}>
                  {label}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
      {tabs.map(({ id, Content }) => (
        <Tabs.Panel key={id} value={id}>
          {partsOf(id, true)}
          <Content business={business} />
          {partsOf(id, false)}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

/** Content that the address names is scrolled to while the content above it loads, until the user acts. */
function TabPart({ isAsked, children }: { isAsked: boolean; children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = frame.current
    if (!isAsked || element === null) return
    const observer = new ResizeObserver(() => element.scrollIntoView({ block: 'start' }))
    observer.observe(element)
    for (const before of element.parentElement?.children ?? []) observer.observe(before)
    const stop = () => observer.disconnect()
    const acts = ['wheel', 'pointerdown', 'keydown'] as const
    for (const act of acts) window.addEventListener(act, stop, { passive: true })
    return () => {
      stop()
      for (const act of acts) window.removeEventListener(act, stop)
    }
  }, [isAsked])
  return <div ref={frame}>{children}</div>
}

const group = 'This prospect'
const closing = { id: 'record.close', label: 'Close record', keys: 'Escape', group }
