import { Title } from '@mantine/core'
import { useSession } from '../../../ui/api/session.ts'
import classes from '../profile.module.css'
import { PasswordSection } from './password-section.tsx'
import { SecondStepSection } from './second-step-section.tsx'
import { SessionsSection } from './sessions-section.tsx'

/** How I sign in, and where I am signed in. */
export function SecurityScreen() {
  const { user } = useSession()
  return (
    <div className={classes.page}>
      <title>Security · Prospect Platform</title>
      <header className={classes.head}>
        <div>
          <Title order={1}>Security</Title>
          <p className={classes.lead}>How you sign in as {user.email}, and where you are signed in.</p>
        </div>
      </header>
      <SecondStepSection />
      <PasswordSection />
      <SessionsSection />
    </div>
  )
}
