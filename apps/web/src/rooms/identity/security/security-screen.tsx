import { useSession } from '../../../ui/api/session.ts'
import { Page } from '../../../ui/layout/page.tsx'
import { PasswordSection } from './password-section.tsx'
import { SecondStepSection } from './second-step-section.tsx'
import { SessionsSection } from './sessions-section.tsx'

/** Settings for signing in, and active sessions. */
export function SecurityScreen() {
  const { user } = useSession()
  return (
    <Page width="text" title="Security" lead={`How you sign in as ${user.email}, and where you are signed in.`}>
      <SecondStepSection />
      <PasswordSection />
      <SessionsSection />
    </Page>
  )
}
