import '../src/app/styles.ts'
import { notifications } from '@mantine/notifications'
import { afterEach } from 'vitest'
import { writeSentencesWith } from '../src/ui/api/api-problem.ts'
import { configureApiClient } from '../src/ui/api/client.ts'
import { onSessionAdopted } from '../src/ui/api/session.ts'
import { sessionGate } from '../src/ui/api/session-gate.ts'
import { localSentence } from '../src/ui/text/api-sentence.ts'
import { adoptLocale } from '../src/ui/text/locale.ts'
import { assertAllAnswered, restoreFetch } from './fake-api.ts'

document.documentElement.setAttribute('data-mantine-color-scheme', 'light')

configureApiClient()
// As in app.tsx.
onSessionAdopted(({ tenant }) => adoptLocale(tenant.locale, tenant.timeZone))
writeSentencesWith(localSentence)
restoreFetch()

afterEach(() => {
  notifications.clean()
  sessionGate.forget()
  localStorage.clear()
  sessionStorage.clear()
  restoreFetch()
  assertAllAnswered()
})
