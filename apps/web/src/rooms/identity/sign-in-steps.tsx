import type { Session } from '@prospect/api-client'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { SignInForm } from './sign-in-form.tsx'
import { HoldStep } from './steps/hold-step.tsx'
import { useRememberedPassword } from './use-just-typed.ts'

type Props = {
  email: string
  submitLabel: string
  /** Existing session with a missing step, or null. */
  held: Session | null
  /** Called with every intermediate session, because its token is needed for the next step. */
  onSession: (session: Session) => void
  /** Called when the session has ended: start again with the password. */
  onLapsed: () => void
  aside?: ReactNode
}

/** Steps from the sign-in form to a complete session: the form, then each missing step in turn. */
export function SignInSteps({ email, submitLabel, held, onSession, onLapsed, aside }: Props) {
  const [isLapsed, setLapsed] = useState(false)
  const { keep, read } = useRememberedPassword()
  if (held === null || held.hold === null) {
    return (
      <SignInForm
        email={held?.user.email ?? email}
        submitLabel={submitLabel}
        {...(isLapsed ? { notice: 'The sign-in took too long, so the session ended. Sign in again.' } : {})}
        onSignedIn={(session, password) => {
          keep(session.hold === null ? null : password)
          onSession(session)
        }}
        aside={aside}
      />
    )
  }
  return (
    <HoldStep
      key={held.hold}
      session={held}
      hold={held.hold}
      justTyped={read}
      onSession={(session) => {
        // The password was changed or needs no change, so forget the typed one.
        if (held.hold === 'password_change' || session.hold !== 'password_change') keep(null)
        onSession(session)
      }}
      onLapsed={() => {
        keep(null)
        setLapsed(true)
        onLapsed()
      }}
      aside={aside}
    />
  )
}
