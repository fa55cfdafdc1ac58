import type { Session } from '@prospect/api-client'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../ui/api.ts'

/**
 * Makes another of the person's tenants the one this session works in. The page is then loaded anew: nothing that was
 * read, typed or waiting in the first tenant can be shown or sent in the second. Drafts stay where they are, per tenant.
 */
export function useSwitchTenant(): { switchTo: (tenantId: string) => void; isSwitching: boolean; error: unknown } {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: (tenantId: string) => api.post<Session>('/session/tenant', { body: { tenantId } }),
    onSuccess: () => window.location.assign('/prospects'),
  })
  return { switchTo: mutate, isSwitching: isPending || isSuccess, error }
}
