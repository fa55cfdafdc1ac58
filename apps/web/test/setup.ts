import '../src/app/styles.ts'
import { notifications } from '@mantine/notifications'
import { afterEach } from 'vitest'
import { configureApiClient } from '../src/ui/api/client.ts'
import { sessionGate } from '../src/ui/api/session-gate.ts'
import { assertAllAnswered, restoreFetch } from './fake-api.ts'

document.documentElement.setAttribute('data-mantine-color-scheme', 'light')

configureApiClient()

afterEach(() => {
  notifications.clean()
  sessionGate.forget()
  localStorage.clear()
  sessionStorage.clear()
  restoreFetch()
  assertAllAnswered()
})
