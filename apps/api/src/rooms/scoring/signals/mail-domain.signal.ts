import { choicesOf, type Signal } from './signal.ts'

/** Signal: the kind of domain in the record's email addresses, either the business's own domain or only providers of free mail. */
export const mailDomain: Signal = {
  key: 'record.mail_domain',
  title: 'Mail domain',
  type: 'choice',
  choices: choicesOf({ own: 'Own domain', free_mail: 'Free mail' }),
  field: 'email',
  datedBy: 'the newest evidence that supports an email address',
  read: (record) => record.mailDomain ?? undefined,
}
