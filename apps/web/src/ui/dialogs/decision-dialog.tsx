import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { EndDayField, useEndDay } from '../fields/end-day-field.tsx'
import { isSame } from '../forms/changed-fields.ts'
import type { FieldErrors, SaveFormOptions, SaveForm as SaveFormState } from '../forms/use-save-form.ts'
import type { Term } from '../text/end-day.ts'
import { FormDialog } from './form-dialog.tsx'
import { missingReason, ReasonField } from './reason-field.tsx'
import type { DialogProps } from './use-dialog.tsx'

/** Words of one kind of decision. A room lists its decisions in a table of these. */
export type DecisionWords = {
  title: string
  /** Text of the button: a verb, with its object if there is room. */
  label: string
  tone?: 'normal' | 'danger' | undefined
  /** Text that explains what changes, what does not, and what happens next. */
  next: ReactNode
  /** Description of the reason without a full stop, such as where it is stored. */
  reason: string
  /** Error for a blank reason. */
  missing?: string
  /** Message after the decision. */
  done?: string
  /** The decision ends on a day, which the form proposes and limits. */
  term?: Term | null
}

export type DecisionValues<Extra> = { reason: string; endsOn: string } & Extra

/** Fields of a decision besides the reason and the last day. */
type ExtraFields<Extra extends Record<string, unknown>> = {
  initial: Extra
  validate?: (values: Extra) => FieldErrors
  fields: (save: SaveFormState<DecisionValues<Extra>>) => ReactNode
}

/** The reason, the further fields, and `endsAt`: the instant at which the last day ends, blank without a term. */
type Decided<Extra> = Extra & { reason: string; endsAt: string }

type Props<Extra extends Record<string, unknown>, Answer> = DecisionWords &
  DialogProps & {
    /** Names one decision: the record, its version, the kind of decision, and the desk if there are several. A typed reason belongs to it. */
    draftName: string
    /** True if the decision has no reason. */
    hasNoReason?: boolean
    extra?: ExtraFields<Extra>
    /** True if other users can undo the change: a retry then repeats the change instead of returning the stored response. */
    isUndoable?: boolean
    send: (decided: Decided<Extra>, idempotencyKey: string) => Promise<Answer>
    explain?: SaveFormOptions<DecisionValues<Extra>, Answer>['explain']
    /** Reads again what the decision changed. */
    refresh?: (queryClient: QueryClient) => unknown
    /** Called after success instead of closing the dialog. `isHere` is false if the user has left the page. */
    decided?: (answer: Answer, isHere: boolean) => void
  }

type NoFields = Record<never, never>

/**
 * Dialog for a decision: approve, reject, accept, revoke, withdraw and others that need a reason. It stays open until the server responds, then shows
 * `done`, closes and refreshes. Another `draftName` is another decision, with a form of its own.
 */
export function DecisionDialog<Extra extends Record<string, unknown> = NoFields, Answer = unknown>(
  props: Props<Extra, Answer>,
) {
  return <OneDecision key={props.draftName} {...props} />
}

function OneDecision<Extra extends Record<string, unknown>, Answer>(props: Props<Extra, Answer>) {
  const { title, label, tone, next, reason, missing = 'Enter a reason.', done, term = null } = props
  const { draftName, hasNoReason = false, extra, isUndoable = false, explain, refresh, decided, close, reopen } = props
  const queryClient = useQueryClient()
  const end = useEndDay(term)
  const initial = { reason: '', endsOn: end.usual, ...extra?.initial } as DecisionValues<Extra>
  return (
    <FormDialog<DecisionValues<Extra>, Answer>
      title={title}
      submitLabel={label}
      {...(tone !== undefined && { tone })}
      what={title.replace(/\?$/, '')}
      isAction
      initial={initial}
      validate={(values) => ({
        ...(!hasNoReason && missingReason(values, missing)),
        ...end.problems(values),
        ...extra?.validate?.(values),
      })}
      isUndoable={isUndoable}
      fieldOf={(path, values) => (endPaths.has(path) ? 'endsOn' : Object.hasOwn(values, path) ? path : undefined)}
      {...(explain !== undefined && { explain })}
      send={({ endsOn, ...values }, { key }) =>
        props.send({ ...values, endsAt: term === null ? '' : end.instant({ endsOn }) } as Decided<Extra>, key)
      }
      onSaved={(answer, _values, { isMounted }) => {
        if (done !== undefined) notifications.show({ message: done })
        if (decided === undefined) close()
        else decided(answer, isMounted())
        void refresh?.(queryClient)
      }}
      draft={{ name: draftName, isBlank: (values) => isSame({ ...values, reason: values.reason.trim() }, initial) }}
      close={close}
      reopen={reopen}
    >
      {(save) => (
        <>
          <Text size="sm" component="div">
            {next}
          </Text>
          {!hasNoReason && (
            <ReasonField form={save.form} restored={save.restored} description={reason} data-autofocus />
          )}
          {term !== null && <EndDayField end={end} {...save.form.getInputProps('endsOn')} />}
          {extra?.fields(save)}
        </>
      )}
    </FormDialog>
  )
}

/** Names of the end in the API. */
const endPaths = new Set(['endsAt', 'validUntil'])
