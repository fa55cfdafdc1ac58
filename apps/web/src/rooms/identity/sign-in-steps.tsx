import type { Session } from '@prospect/api-client'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { SignInForm } from './sign-in-form.tsx'
import { HoldStep } from './steps/hold-step.tsx'
import { useRememberedPassword } from './use-just-typed.ts'

type Props = {
  email: string
  submitLabel: string
  /** A session that is there already and still lacks something. */
  held: Session | null
  /** Every session on the way, held or not: its token is needed for the next step. */
  onSession: (session: Session) => void
  /** Where to begin again: the password. */
  onLapsed: () => void
  aside?: ReactNode
}

/** From the password to a session that nothing holds: the form first, then what the session lacks, one after another. */
export function SignInSteps({ email, submitLabel, held, onSession, onLapsed, aside }: Props) {
  const [isLapsed, setLapsed] = useState(false)
  const { keep, read } = useRememberedPassword()
  if (held === null || held.hold === null) {
    return (
      <SignInForm
        email={held?.user.email ?? email}
        submitLabel={submitLabel}
        {...(isLapsed ? { notice: 'That took too long, and the session ended. Sign in again.' } : {})}
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
        // Changed, or not to be changed: what was typed has done its work.
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
