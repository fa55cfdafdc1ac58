import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Largest form that a provider may post. The API refuses tokens above 16 KiB with a reason, and a form holds a few more values. */
const MAX_FORM_BYTES = 64 * 1_024

/** Forms of the values that are passed on. They contain no character that has a meaning in HTML. */
const forms = {
  id_token: /^[\w-]+\.[\w-]+\.[\w-]*$/,
  state: /^[\w.~-]{1,100}$/,
  error: /^\w{1,100}$/,
} as const

/**
 * Registers the address to which the company's provider posts the answer of a sign-in (`response_mode=form_post`). The browser sends no cookie with
 * this post, because it comes from another site. The response is the app's own page, which contains the answer and sends it to the API with the cookie
 * of the browser that started the sign-in. Nothing is checked or stored here.
 */
export async function companyAnswer(
  app: FastifyInstance,
  { sendPage }: { sendPage: (request: FastifyRequest, reply: FastifyReply, head: string) => Promise<FastifyReply> },
): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  )
  app.post('/sign-in/company', (request, reply) =>
    sendPage(
      request,
      reply,
      answerElement(request.body instanceof URLSearchParams ? request.body : new URLSearchParams()),
    ),
  )
}

/** Returns the element by which the page gets the answer. Anything but an answer in the expected form becomes an error code. */
function answerElement(form: URLSearchParams): string {
  const [idToken, state, error] = [onlyValue(form, 'id_token'), onlyValue(form, 'state'), onlyValue(form, 'error')]
  if (error !== undefined) return `<meta name="company-answer" data-error="${error}">`
  if (idToken === undefined || state === undefined) return '<meta name="company-answer" data-error="invalid_answer">'
  return `<meta name="company-answer" data-id-token="${idToken}" data-state="${state}">`
}

/** Returns a value that occurs once and has the expected form. */
function onlyValue(form: URLSearchParams, name: keyof typeof forms): string | undefined {
  const [value, ...others] = form.getAll(name)
  return value !== undefined && others.length === 0 && forms[name].test(value) ? value : undefined
}
