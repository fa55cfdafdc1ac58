import { notifications } from '@mantine/notifications'
import { getSession, type Session, switchTenant } from '@prospect/api-client'
import { type Mutation, useMutation, useMutationState } from '@tanstack/react-query'
import { isUnanswered, sentenceOf } from '../../ui/api/api-problem.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { outsideSession } from '../../ui/api/gated-fetch.ts'
import { useSession } from '../../ui/api/session.ts'
import { nameText } from '../../ui/text/name-text.ts'

/**
 * Makes another of the person's tenants the one this session works in. The page is then loaded anew: nothing that was
 * read, typed or waiting in the first tenant can be shown or sent in the second. Drafts stay where they are, per tenant.
 * Told here when it fails: the menu or the palette that asked is closed by then.
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

/** A switch is under way, or done and the page is about to load again. */
export function useIsSwitchingTenant(): boolean {
  const isUnderWay = ({ state: { status } }: Mutation) => status === 'pending' || status === 'success'
  return useMutationState({ filters: { mutationKey: switching, predicate: isUnderWay } }).length > 0
}

/**
 * A session that lapsed is asked for by the first call. A 401 of the second one is an answer: this session is too old for that tenant, and
 * the person has to sign in again to enter it.
 */
async function enter(tenantId: string): Promise<Session> {
  await dataOf(getSession())
  return dataOf(switchTenant({ body: { tenantId }, ...outsideSession }))
}
