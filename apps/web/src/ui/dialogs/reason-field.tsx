import { Textarea, type TextareaProps } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { DraftHint } from '../forms/draft-hint.tsx'
import { inputLimits } from '../forms/input-limits.ts'

type Props<Values extends { reason: string }> = {
  form: UseFormReturnType<Values>
  restored: { savedAt: string } | null
  /** A phrase without a full stop. */
  description: string
} & Omit<TextareaProps, 'form' | 'description'>

/** Input for the field `reason` of a form. */
export function ReasonField<Values extends { reason: string }>({
  form,
  restored,
  description,
  ...more
}: Props<Values>) {
  return (
    <Textarea
      label="Reason"
      description={
        <>
          {description}.
          <DraftHint draft={restored} />
        </>
      }
      withAsterisk
      aria-required
      autosize
      minRows={2}
      maxLength={inputLimits.reason}
      {...form.getInputProps('reason')}
      {...more}
    />
  )
}

/** Field error for a blank reason. */
export const missingReason = ({ reason }: { reason: string }, message: string): { reason?: string } =>
  reason.trim() === '' ? { reason: message } : {}
