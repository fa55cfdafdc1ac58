import { notifications } from '@mantine/notifications'
import { signOut } from '@prospect/api-client'
import { useMutation } from '@tanstack/react-query'
import { isProblem, isUnanswered, sentenceOf } from '../../ui/api/api-problem.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { outsideSession } from '../../ui/api/gated-fetch.ts'
import { forgetSensitiveDrafts } from '../../ui/forms/draft-storage.ts'

/**
 * Ends the session and loads the sign-in page again, so that no data stays in memory for the next user. A failure is shown as a notification, because
 * the menu has already closed and the user may be about to leave.
 */
export function useSignOut(): { signOut: () => void; isSigningOut: boolean } {
  const { mutate, isPending, isSuccess } = useMutation({
    meta: { isTold: true },
    mutationFn: async () => {
      try {
        await dataOf(signOut(outsideSession))
      } catch (problem) {
        // The session has already ended, which is the wanted result.
        if (!isProblem(problem, 'authentication_required')) throw problem
      }
    },
    onSuccess: () => {
      forgetSensitiveDrafts()
      window.location.assign('/sign-in')
    },
    onError: (error) => {
      notifications.show({
        color: 'red',
        title: isUnanswered(error) ? 'You may still be signed in' : 'You are still signed in',
        message: sentenceOf(error),
        autoClose: false,
      })
    },
  })
  return { signOut: mutate, isSigningOut: isPending || isSuccess }
}
