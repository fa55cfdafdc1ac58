import { choicesOf, type Signal } from './signal.ts'

/** Where the mailboxes of the record are: at a domain of its own, or all of them at a provider of free mail. */
export const mailDomain: Signal = {
  key: 'record.mail_domain',
  title: 'Mail domain',
  type: 'choice',
  choices: choicesOf({ own: 'Own domain', free_mail: 'Free mail' }),
  field: 'email',
  datedBy: 'the newest evidence that supports an email address',
  read: (record) => record.mailDomain ?? undefined,
}
