import { useMutation } from '@tanstack/react-query'
import { api } from '../../ui/api.ts'
import { isProblem } from '../../ui/api-problem.ts'
import { forgetSensitiveDrafts } from '../../ui/use-draft.ts'

/** Ends the session and loads the sign-in page anew, so that nothing read stays in memory for the next person. */
export function useSignOut(): { signOut: () => void; isSigningOut: boolean; error: unknown } {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: async () => {
      try {
        await api.delete('/session', { onLapse: 'fail' })
      } catch (problem) {
        // Already over: that is what the person asked for.
        if (!isProblem(problem, 'authentication_required')) throw problem
      }
    },
    onSuccess: () => {
      forgetSensitiveDrafts()
      window.location.assign('/sign-in')
    },
  })
  return { signOut: mutate, isSigningOut: isPending || isSuccess, error }
}
