import { useDebouncedCallback } from '@mantine/hooks'
import { useRouter } from '@tanstack/react-router'

/**
 * Writes the last typed value to the address after `delayMs`. Waits while a navigation is pending, which the write would cancel. `cancel()` drops a
 * pending write.
 */
export function useDebouncedAddress<Value>(write: (value: Value) => void, delayMs: number) {
  const router = useRouter()
  const later = useDebouncedCallback((value: Value) => {
    if (router.state.isLoading) later(value)
    else write(value)
  }, delayMs)
  return later
}
