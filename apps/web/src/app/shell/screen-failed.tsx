import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useConnection } from '../../ui/api/use-connection.ts'
import { Failed } from '../../ui/layout/states.tsx'

/** Error screen in place of a screen that failed. During an outage it retries when the service responds again. */
export function ScreenFailed({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const isLost = useConnection() !== 'online'
  const wasLost = useRef(isLost)
  const retry = (): void => {
    reset()
    void router.invalidate()
  }
  useEffect(() => {
    if (wasLost.current && !isLost) retry()
    wasLost.current = isLost
  })
  return <Failed isPage error={error} retry={retry} isTriedAgain={isLost} />
}
