import { Badge, Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { OwnSession } from '@prospect/api-client'
import { revokeOtherSessions, revokeOwnSession } from '@prospect/api-client'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { dataOf } from '../../../ui/api/data-of.ts'
import { useSession } from '../../../ui/api/session.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import { useDialog } from '../../../ui/dialogs/use-dialog.tsx'
import { Failed, LoadingLines } from '../../../ui/layout/states.tsx'
import { TitledSection } from '../../../ui/layout/titled-section.tsx'
import { LoadMore } from '../../../ui/lists/load-more.tsx'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { formatDateTime } from '../../../ui/text/format.ts'
import { Name } from '../../../ui/text/name.tsx'
import { ownSessionsQuery } from '../accounts.queries.ts'
import { deviceName, isHandheld } from '../device.ts'
import classes from '../profile.module.css'

/** Active sessions of the user, which can be ended one by one or all others at once. */
export function SessionsSection() {
  const sessions = useInfiniteQuery(ownSessionsQuery)
  const queryClient = useQueryClient()
  const ending = useDialog<OwnSession | 'others'>()
  const end = useMutation({
    meta: { notDone: 'End session' },
    mutationFn: async (which: OwnSession | 'others') => {
      if (which === 'others') await dataOf(revokeOtherSessions())
      else await dataOf(revokeOwnSession({ path: { id: which.id } }))
    },
    onSuccess: (_, which) => {
      notifications.show({
        message: which === 'others' ? 'Signed out on all other devices' : 'Session ended',
      })
      ending.close()
    },
    onSettled: () => queryClient.invalidateQueries(ownSessionsQuery),
  })
  const items = sessions.data?.items ?? []
  const hasOthers = items.some(({ current }) => !current)
  return (
    <TitledSection title="Sessions">
      {sessions.isPending && <LoadingLines lines={4} />}
      {sessions.isError && !sessions.data && (
        <Failed error={sessions.error} retry={() => void sessions.refetch()} what="your sessions" />
      )}
      {sessions.data && (
        <>
          <p className={classes.text}>
            {hasOthers
              ? 'If you do not recognize a session, end it and change your password.'
              : 'You are signed in on this device only.'}
          </p>
          <ul aria-label="Your sessions">
            {items.map((session) => (
              <SessionRow key={session.id} session={session} end={() => ending.open(session)} />
            ))}
          </ul>
          <LoadMore what="sessions" {...sessions} data={sessions.data} />
          {hasOthers && (
            <Button variant="default" mt="sm" onClick={() => ending.open('others')}>
              Sign out all other sessions…
            </Button>
          )}
        </>
      )}
      {ending.slot((which, { close }) => (
        <ConfirmDialog
          title={which === 'others' ? 'Sign out all other sessions?' : 'End this session?'}
          confirmLabel={which === 'others' ? 'Sign out all other sessions' : 'End session'}
          tone="danger"
          isBusy={end.isPending}
          error={end.error}
          onConfirm={() => end.mutate(which)}
          onClose={() => {
            end.reset()
            close()
          }}
        >
          {which === 'others'
            ? 'All sessions except this one end immediately. Unsaved text stays as a draft in their browsers.'
            : `${deviceName(which.agent)}${which.address === null ? '' : ` at ${which.address}`} has to sign in again.`}
        </ConfirmDialog>
      ))}
    </TitledSection>
  )
}

const assuranceWords: Record<OwnSession['assurance'], string> = {
  password: 'password only',
  company: 'company account',
  mfa: 'with second factor',
}

function SessionRow({ session, end }: { session: OwnSession; end: () => void }) {
  const device = deviceName(session.agent)
  const since = formatDateTime(session.createdAt, useSession().tenant.timeZone)
  const Icon = isHandheld(session.agent) ? IconDeviceMobile : IconDeviceDesktop
  return (
    <li className={classes.row}>
      <span className={classes.rowIcon}>
        <Icon size={18} stroke={1.6} aria-hidden />
      </span>
      <div className={classes.rowText}>
        <p title={session.agent ?? undefined}>
          {device}
          {session.current && (
            <Badge variant="outline" size="sm" ml="xs" tt="none" fw={500}>
              This session
            </Badge>
          )}
        </p>
        <p>
          {session.address ?? 'Unknown address'} · <Name of={session.tenant.name} /> ·{' '}
          {assuranceWords[session.assurance]}
        </p>
        <p>
          Last used <DateTime at={session.seenAt} /> · signed in <DateTime at={session.createdAt} as="dateTime" /> ·
          ends <DateTime at={session.expiresAt} as="dateTime" /> at the latest
        </p>
      </div>
      {!session.current && (
        <div className={classes.rowActions}>
          <Button variant="default" onClick={end} aria-label={`End session of ${device}, signed in ${since}`}>
            End…
          </Button>
        </div>
      )}
    </li>
  )
}
