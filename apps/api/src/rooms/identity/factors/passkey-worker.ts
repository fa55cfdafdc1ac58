import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { answerRequests } from '../../../lib/ask-thread.ts'
import type { PasskeyAnswer, PasskeyCheck } from './passkey-thread.ts'

answerRequests(async ({ registration, authentication }: PasskeyCheck) => {
  const answer: PasskeyAnswer = {}
  try {
    if (registration !== undefined) answer.registered = await verifyRegistrationResponse(registration)
    if (authentication !== undefined) answer.authenticated = await verifyAuthenticationResponse(authentication)
  } catch (error) {
    answer.refused = error instanceof Error ? error.message : String(error)
  }
  return answer
})
