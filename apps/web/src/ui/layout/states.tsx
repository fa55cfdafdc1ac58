import { Button, Skeleton } from '@mantine/core'
import { IconCloudOff, IconLock, IconMoodEmpty, IconRefresh, IconSearchOff } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ApiProblem, isProblem, LOAD_ANEW, sentenceOf } from '../api/api-problem.ts'
import classes from './states.module.css'
import { useIsSlow } from './use-slow.ts'

type NoticeProps = {
  icon: ReactNode
  title: string
  children?: ReactNode
  action?: ReactNode
  /**
   * True if the notice replaces other content after a failure; it is then announced. False if it is rendered from the start, such as an empty list.
   */
  isAlert?: boolean
  /** True if the notice is the whole page: its title becomes the heading. */
  isPage?: boolean
}

/** Common layout of all empty, failed and forbidden states: the situation and the next step. */
function Notice({ icon, title, children, action, isAlert = false, isPage = false }: NoticeProps) {
  const Title = isPage ? 'h1' : 'p'
  return (
    <div className={classes.notice} role={isAlert ? 'alert' : undefined}>
      <div className={classes.icon} aria-hidden>
        {icon}
      </div>
      {isPage && <title>{`${title} · Prospect Platform`}</title>}
      <Title className={classes.title}>{title}</Title>
      {children !== undefined && <div className={classes.text}>{children}</div>}
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </div>
  )
}

export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <Notice icon={<IconMoodEmpty size={22} stroke={1.5} />} title={title} action={action}>
      {children}
    </Notice>
  )
}

type FilteredProps = {
  what: string
  clear: () => void
  /** The fields that the search covers, so that users know what it cannot find. */
  searched?: string | undefined
}

export function FilteredToNothing({ what, clear, searched }: FilteredProps) {
  return (
    <Notice
      icon={<IconSearchOff size={22} stroke={1.5} />}
      title={`No ${what} match`}
      action={
        <Button variant="default" onClick={clear}>
          Clear filters
        </Button>
      }
    >
      Try removing a filter.{searched !== undefined && ` The search covers ${searched}.`}
    </Notice>
  )
}

/** `isPage`: the notice is the whole page, so its title is the heading. */
type NoPermissionProps = ({ what: string } | { to: string }) & { isPage?: boolean }

/** Notice about a missing permission: `what` names data that is not shown, `to` an action that is not allowed ("make reports"). */
export function NoPermission({ isPage = false, ...denied }: NoPermissionProps) {
  const title = 'to' in denied ? `You cannot ${denied.to}` : `You cannot see ${denied.what}`
  return (
    <Notice icon={<IconLock size={22} stroke={1.5} />} title={title} isPage={isPage}>
      Your role does not include this permission. An administrator of this workspace can change your role.
    </Notice>
  )
}

type FailedProps = {
  error: unknown
  retry?: () => void
  isRetrying?: boolean
  what?: string
  isPage?: boolean
  /** True if the app retries automatically. */
  isTriedAgain?: boolean
}

export function Failed({ error, retry, isRetrying = false, what, isPage = false, isTriedAgain = false }: FailedProps) {
  if (error instanceof ApiProblem && error.code === 'permission_denied') {
    return <NoPermission what={what ?? 'this'} isPage={isPage} />
  }
  if (isProblem(error, LOAD_ANEW)) return <LoadAnew error={error} isPage={isPage} />
  return (
    <Notice
      isAlert
      isPage={isPage}
      icon={<IconCloudOff size={22} stroke={1.5} />}
      title={what === undefined ? 'Could not load this part' : `Could not load ${what}`}
      action={
        retry && (
          <Button variant="default" loading={isRetrying} onClick={retry}>
            Try again
          </Button>
        )
      }
    >
      {isTriedAgain
        ? 'The server is not responding. This page reloads when the connection is back.'
        : sentenceOf(error)}
      {error instanceof ApiProblem && error.requestId !== null && (
        <span className={classes.request}>Request {error.requestId}</span>
      )}
    </Notice>
  )
}

function LoadAnew({ error, isPage }: { error: ApiProblem; isPage: boolean }) {
  return (
    <Notice
      isAlert
      isPage={isPage}
      icon={<IconRefresh size={22} stroke={1.5} />}
      title={error.title}
      action={
        <Button variant="default" onClick={() => window.location.reload()}>
          Reload
        </Button>
      }
    >
      {error.detail} Reload the page to continue.
    </Notice>
  )
}

/** Skeleton lines. They appear after 200 ms, so that fast responses do not flicker. */
export function LoadingLines({ lines = 6, label = 'Loading' }: { lines?: number; label?: string }) {
  const isSlow = useIsSlow()
  return (
    <div className={classes.lines} data-unseen={!isSlow || undefined} role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are identical and never move
        <Skeleton key={index} height={12} width={`${92 - ((index * 17) % 40)}%`} radius="sm" />
      ))}
    </div>
  )
}

export function ScreenLoading() {
  return <LoadingLines lines={8} />
}

/** `isPage`: false if something else on the page is its heading. */
export function NotFound({ isPage = true }: { isPage?: boolean }) {
  const router = useRouter()
  return (
    <Notice
      icon={<IconSearchOff size={22} stroke={1.5} />}
      isPage={isPage}
      isAlert={!isPage}
      title="Page not found"
      action={
        <Button variant="default" onClick={() => void router.navigate({ to: '/prospects' })}>
          Go to prospects
        </Button>
      }
    >
      The address may be mistyped, or the page may belong to another workspace.
    </Notice>
  )
}
