/** Adds a style sheet to the page and resolves when it has loaded. A failed one is removed so that the next call tries again. */
export function loadStyleSheet(href: string): Promise<void> {
  if (document.querySelector(`link[rel="stylesheet"][href="${CSS.escape(href)}"]`) !== null) return Promise.resolve()
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
  const loaded = new Promise<void>((resolve, reject) => {
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => {
      link.remove()
      reject(new TypeError(`The style sheet ${href} could not be loaded.`))
    })
  })
  document.head.append(link)
  return loaded
}
