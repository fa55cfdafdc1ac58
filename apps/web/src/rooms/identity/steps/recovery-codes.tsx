import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { saveFile } from '../../../ui/api/save-file.ts'
import { SaveForm } from '../../../ui/forms/save-form.tsx'
import { type FieldErrors, useSaveForm } from '../../../ui/forms/use-save-form.ts'
import { CopyButton } from '../../../ui/layout/copy-button.tsx'
import classes from './enrolment.module.css'

type Props = { codes: string[]; email: string; doneLabel: string; onDone: () => void }

/** Ten codes, shown once: the server stores only their hashes. The user must confirm that they are saved. */
export function RecoveryCodes({ codes, email, doneLabel, onDone }: Props) {
  const save = useSaveForm({
    initial: { isKept: false },
    validate: ({ isKept }): FieldErrors =>
      isKept ? {} : { isKept: 'Save the codes first, because they cannot be shown again.' },
    send: () => Promise.resolve(),
    onSaved: onDone,
  })
  const { error, ...box } = save.form.getInputProps('isKept', { type: 'checkbox' })
  const title = `Recovery codes of ${email} for Prospect Platform`
  const text = `${title}\nEach code works once, instead of the second factor when you sign in.\n\n${codes.join('\n')}\n`

  return (
    <SaveForm
      save={save}
      actions={
        <Button type="submit" size="sm" mt="md" fullWidth>
          {doneLabel}
        </Button>
      }
    >
      <Stack gap="md">
        <Text size="sm">
          If you lose your phone or passkey, use one of these codes instead of the second factor. Each code works once.
          The codes are shown only now. Store them safely, not next to your password.
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
        <Checkbox label="I have saved the codes" aria-invalid={error !== undefined} error={error} {...box} />
      </Stack>
    </SaveForm>
  )
}
