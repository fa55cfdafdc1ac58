import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { putOnClipboard } from './clipboard.ts'

type State = 'idle' | 'copied' | 'refused'

/** Copies a text and confirms it. If the browser refuses (no secure context), it explains how to copy by hand. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [state, setState] = useState<State>('idle')
  useEffect(() => {
    if (state !== 'copied') return
    const timer = setTimeout(() => setState('idle'), 3000)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async () => setState((await putOnClipboard(text)) ? 'copied' : 'refused')
  return (
    <>
      <Button
        variant="default"
        leftSection={state === 'copied' ? <IconCheck size={15} aria-hidden /> : <IconCopy size={15} aria-hidden />}
        onClick={() => void copy()}
      >
        {state === 'copied' ? 'Copied' : label}
      </Button>
      <span role="status" className={state === 'refused' ? 'pp-quiet' : 'pp-visually-hidden'}>
        {state === 'copied' && 'Copied.'}
        {state === 'refused' && 'This browser blocks copying. Select the text and copy it yourself.'}
      </span>
    </>
  )
}
