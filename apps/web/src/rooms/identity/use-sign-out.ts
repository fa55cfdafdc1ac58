import { notifications } from '@mantine/notifications'
import { signOut } from '@prospect/api-client'
import { useMutation } from '@tanstack/react-query'
import { isProblem, isUnanswered, sentenceOf } from '../../ui/api/api-problem.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { outsideSession } from '../../ui/api/gated-fetch.ts'
import { forgetSensitiveDrafts } from '../../ui/forms/draft-storage.ts'

/**
 * Ends the session and loads the sign-in page anew, so that nothing read stays in memory for the next person. Told here when it fails: who
 * asked, from a menu that is closed by then, may be about to leave the computer.
 */
export function useSignOut(): { signOut: () => void; isSigningOut: boolean } {
  const { mutate, isPending, isSuccess } = useMutation({
    meta: { isTold: true },
    mutationFn: async () => {
      try {
        await dataOf(signOut(outsideSession))
      } catch (problem) {
        // Already over: that is what the person asked for.
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
