import { useDebouncedCallback } from '@mantine/hooks'
import { useRouter } from '@tanstack/react-router'

/**
 * Writes into the address what was typed last, `delayMs` after it was. Not while the person is on the way elsewhere: it would bring them back.
 * `cancel()` drops what still waits.
 */
export function useDebouncedAddress<Value>(write: (value: Value) => void, delayMs: number) {
  const router = useRouter()
  const later = useDebouncedCallback((value: Value) => {
    if (router.state.isLoading) later(value)
    else write(value)
  }, delayMs)
  return later
}
