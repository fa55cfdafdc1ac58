import { notifications } from '@mantine/notifications'
import { getSession, type Session, switchTenant } from '@prospect/api-client'
import { type Mutation, useMutation, useMutationState } from '@tanstack/react-query'
import { isUnanswered, sentenceOf } from '../../ui/api/api-problem.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { outsideSession } from '../../ui/api/gated-fetch.ts'
import { useSession } from '../../ui/api/session.ts'
import { nameText } from '../../ui/text/name-text.ts'

/**
 * Switches the session to another tenant of the user. The page then loads again, so that nothing read, typed or waiting in the first tenant can be
 * shown or sent in the second. Drafts stay, per tenant. A failure is shown as a notification, because the menu or palette has closed.
 */
export function useSwitchTenant(): (tenantId: string) => void {
  const { tenant } = useSession()
  const { mutate } = useMutation({
    mutationKey: switching,
    meta: { isTold: true },
    mutationFn: enter,
    onSuccess: () => window.location.assign('/prospects'),
    onError: (error) => {
      notifications.show({
        color: 'red',
        title: `${isUnanswered(error) ? 'You may still be' : 'You are still'} in ${nameText(tenant.name)}`,
        message: sentenceOf(error),
        autoClose: false,
      })
    },
  })
  return mutate
}

const switching = ['switch-tenant']

/** True while a switch is pending, or done and the page is about to reload. */
export function useIsSwitchingTenant(): boolean {
  const isUnderWay = ({ state: { status } }: Mutation) => status === 'pending' || status === 'success'
  return useMutationState({ filters: { mutationKey: switching, predicate: isUnderWay } }).length > 0
}

/**
 * The first call waits for a sign-in if the session has expired. A 401 of the second call means that the session is too old for that tenant, so the
 * user must sign in again to enter it.
 */
async function enter(tenantId: string): Promise<Session> {
  await dataOf(getSession())
  return dataOf(switchTenant({ body: { tenantId }, ...outsideSession }))
}
