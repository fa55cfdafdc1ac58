import { parentPort } from 'node:worker_threads'
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import type { PasskeyAnswer, PasskeyQuestion } from './passkey-thread.ts'

const port = parentPort
if (port === null) throw new Error('This file runs as a worker thread.')

port.on('message', async ({ number, registration, authentication }: PasskeyQuestion) => {
  const answer: PasskeyAnswer = { number }
  try {
    if (registration !== undefined) answer.registered = await verifyRegistrationResponse(registration)
    if (authentication !== undefined) answer.authenticated = await verifyAuthenticationResponse(authentication)
  } catch (error) {
    answer.refused = error instanceof Error ? error.message : String(error)
  }
  port.postMessage(answer)
})
