import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { type FormEvent, useRef, useState } from 'react'
import { saveFile } from '../../../ui/api/save-file.ts'
import { CopyButton } from '../../../ui/layout/copy-button.tsx'
import classes from './enrolment.module.css'

type Props = { codes: string[]; email: string; doneLabel: string; onDone: () => void }

/** Ten codes, shown this once: the server keeps only their hashes. Leaving asks for a word that they are kept. */
export function RecoveryCodes({ codes, email, doneLabel, onDone }: Props) {
  const [isKept, setKept] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const box = useRef<HTMLInputElement>(null)
  const title = `Recovery codes of ${email} for Prospect Platform`
  const text = `${title}\nEach works once, in place of the second step of signing in.\n\n${codes.join('\n')}\n`

  const leave = (event: FormEvent) => {
    event.preventDefault()
    if (isKept) return onDone()
    setAsked(true)
    box.current?.focus()
  }

  return (
    <form onSubmit={leave}>
      <Stack gap="md">
        <Text size="sm">
          When your phone or passkey is lost, one of these codes takes its place at the second step. Each works once.
          They are shown only now: keep them where you keep other papers that matter, not beside your password.
        </Text>
        <div className={classes.sheet}>
          <p className={classes.sheetTitle}>{title}</p>
          <ul className={classes.codes} aria-label="Recovery codes">
            {codes.map((code) => (
              <li key={code}>
                <code>{code}</code>
              </li>
            ))}
          </ul>
        </div>
        <Group gap="xs">
          <CopyButton text={text} label="Copy" />
          <Button
            variant="default"
            leftSection={<IconDownload size={15} aria-hidden />}
            onClick={() => saveFile('prospect-platform-recovery-codes.txt', new Blob([text], { type: 'text/plain' }))}
          >
            Download
          </Button>
          <Button variant="default" leftSection={<IconPrinter size={15} aria-hidden />} onClick={() => window.print()}>
            Print
          </Button>
        </Group>
        <Checkbox
          ref={box}
          label="I have kept them"
          checked={isKept}
          aria-invalid={isAsked && !isKept}
          error={isAsked && !isKept ? 'Keep them first: they cannot be shown again.' : undefined}
          onChange={(event) => setKept(event.currentTarget.checked)}
        />
        <Button type="submit" size="sm">
          {doneLabel}
        </Button>
      </Stack>
    </form>
  )
}
