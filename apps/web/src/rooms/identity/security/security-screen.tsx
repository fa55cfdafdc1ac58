import { useSession } from '../../../ui/api/session.ts'
import { Page } from '../../../ui/layout/page.tsx'
import { CompanySection } from '../company/company-section.tsx'
import { TokensSection } from '../tokens/tokens-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { SecondStepSection } from './second-step-section.tsx'
import { SessionsSection } from './sessions-section.tsx'

/** Settings for signing in, active sessions, and access tokens. */
export function SecurityScreen() {
  const { user } = useSession()
  return (
    <Page width="text" title="Security" lead={`How you sign in as ${user.email}, and where you are signed in.`}>
      <SecondStepSection />
      <PasswordSection />
      <CompanySection />
      <SessionsSection />
      <TokensSection />
    </Page>
  )
}
