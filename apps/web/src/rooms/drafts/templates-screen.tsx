import { Button, Textarea, TextInput } from '@mantine/core'
import {
  createDraftTemplate,
  type Draft,
  type DraftTemplate,
  deleteDraftTemplate,
  editDraftTemplate,
} from '@prospect/api-client'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { ifMatch, withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useCan } from '../../ui/api/session.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { type DialogProps, useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { Select } from '../../ui/fields/select.tsx'
import type { FieldErrors } from '../../ui/forms/use-save-form.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Empty } from '../../ui/layout/states.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { Name } from '../../ui/text/name.tsx'
import { channelWords, optionsOf, purposeWords } from './draft-words.ts'
import classes from './drafts.module.css'
import { refreshDrafts, templatesPaged } from './drafts.queries.ts'

/** List of templates for drafts. */
export function TemplatesScreen() {
  const canWrite = useCan('drafts.write')
  const list = useInfiniteQuery(templatesPaged)
  const editing = useDialog<DraftTemplate | null>()
  const deleting = useDialog<DraftTemplate>()
  const add: Action = {
    id: 'draft_templates.add',
    label: 'New template',
    group: 'Create',
    Icon: IconPlus,
    keys: 'shift+n',
    permission: 'drafts.write',
    asksMore: true,
    run: () => editing.open(null),
  }
  useActions('screen', [add])
  const newest = (opened: DraftTemplate) => list.data?.items.find(({ id }) => id === opened.id) ?? opened
  return (
    <Page
      width="text"
      title="Draft templates"
      lead="Texts that a draft can start with. A draft keeps its text when its template changes."
      actions={<ActionButton action={add} iconSize={16} />}
    >
      <ListBody list={list} data={list.data} noun="templates" empty={<Empty title="No templates yet" />}>
        {(items) => (
          <ul className={classes.rows} aria-label="Templates, newest first">
            {items.map((template) => (
              <li key={template.id}>
                <b>
                  <Name of={template.name} />
                </b>{' '}
                · {channelWords[template.channel]} · {purposeWords[template.purpose]} · {template.language}
                <div className={classes.text}>{template.text}</div>
                {canWrite && (
                  <div className={classes.actions}>
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={`Edit ${template.name}`}
                      onClick={() => editing.open(template)}
                    >
                      Edit…
                    </Button>
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={`Delete ${template.name}`}
                      onClick={() => deleting.open(template)}
                    >
                      Delete…
                    </Button>
                  </div>
                )}
              </li>
            ))}
          </ul>
        )}
      </ListBody>
      {editing.slot((template, dialog) => (
        <TemplateDialog template={template === null ? null : newest(template)} {...dialog} />
      ))}
      {deleting.slot((template, { close }) => (
        <DeleteDialog template={template} close={close} />
      ))}
    </Page>
  )
}

type Values = {
  name: string
  channel: Draft['channel']
  purpose: Draft['purpose']
  language: string
  subject: string
  text: string
}

function TemplateDialog({ template, close, reopen }: DialogProps & { template: DraftTemplate | null }) {
  const queryClient = useQueryClient()
  return (
    <FormDialog<Values, DraftTemplate>
      title={template === null ? 'New template' : 'Edit template'}
      submitLabel="Save template"
      size="lg"
      what="the template"
      initial={{
        name: template?.name ?? '',
        channel: template?.channel ?? 'email',
        purpose: template?.purpose ?? 'introduction',
        language: template?.language ?? 'en',
        subject: template?.subject ?? '',
        text: template?.text ?? '',
      }}
      {...(template !== null && {
        edits: {
          reload: () => refreshDrafts(queryClient),
          labels: { name: 'Name' },
          lines: {
            channel: (channel: Draft['channel']) => [channelWords[channel]],
            purpose: (purpose: Draft['purpose']) => [purposeWords[purpose]],
          },
        },
      })}
      validate={({ name, text }): FieldErrors => ({
        ...(name.trim() === '' && { name: 'Enter a name.' }),
        ...(text.trim() === '' && { text: 'Enter some text.' }),
      })}
      send={({ subject, ...values }, { key }) => {
        const body = { ...values, subject: values.channel === 'email' && subject.trim() !== '' ? subject : null }
        return template === null
          ? dataOf(createDraftTemplate({ body, ...withKey(key) }))
          : dataOf(editDraftTemplate({ path: { templateId: template.id }, body, ...ifMatch(template.version) }))
      }}
      onSaved={() => {
        void refreshDrafts(queryClient)
        close()
      }}
      draft={{ name: `draft-template-${template?.id ?? 'new'}` }}
      close={close}
      reopen={reopen}
    >
      {({ form, values }) => (
        <>
          <TextInput label="Name" maxLength={100} required data-autofocus {...form.getInputProps('name')} />
          <Select label="Channel" data={optionsOf(channelWords)} {...form.getInputProps('channel')} />
          <Select label="Purpose" data={optionsOf(purposeWords)} {...form.getInputProps('purpose')} />
          <TextInput label="Language" maxLength={6} required {...form.getInputProps('language')} />
          {values.channel === 'email' && (
            <TextInput label="Subject" maxLength={200} {...form.getInputProps('subject')} />
          )}
          <Textarea label="Text" autosize minRows={5} maxLength={5_000} required {...form.getInputProps('text')} />
        </>
      )}
    </FormDialog>
  )
}

function DeleteDialog({ template, close }: { template: DraftTemplate; close: () => void }) {
  const queryClient = useQueryClient()
  const remove = useMutation({
    mutationFn: () => dataOf(deleteDraftTemplate({ path: { templateId: template.id } })),
    onSuccess: () => {
      void refreshDrafts(queryClient)
      close()
    },
  })
  return (
    <ConfirmDialog
      title={`Delete ${template.name}?`}
      confirmLabel="Delete template"
      tone="danger"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={close}
    >
      Drafts that started with this template keep their text.
    </ConfirmDialog>
  )
}
