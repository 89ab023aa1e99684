/** Parses the forms in the HTML text of a page. */

/** Returns the first form that contains a button with this intent. */
export const formWith = (intent: string, html: string): string | undefined =>
  [...html.matchAll(/<form\b[^>]*>(.*?)<\/form>/gs)]
    .map(([, body = '']) => body)
    .find((body) => buttonsOf(body).includes(intent))

const buttonsOf = (form: string) =>
  [...form.matchAll(/<button\b[^>]* name="intent"[^>]*>/g)].map(([tag]) => attributeOf(tag, 'value'))

/** Returns the fields as a browser would send them, without unticked checkboxes. */
export function fieldsOf(form: string): Record<string, string> {
  const inputs = [...form.matchAll(/<input\b[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => !/type="checkbox"/.test(tag) || /checked/.test(tag))
    .map((tag) => [attributeOf(tag, 'name'), attributeOf(tag, 'value')])
  const selects = [...form.matchAll(/<select\b[^>]*>.*?<\/select>/gs)].map(([tag]) => [
    attributeOf(tag, 'name'),
    attributeOf(/<option[^>]*selected=""[^>]*>/.exec(tag)?.[0] ?? '', 'value'),
  ])
  return Object.fromEntries([...inputs, ...selects])
}

const attributeOf = (tag: string, name: string): string =>
  (new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '').replaceAll('&amp;', '&').replaceAll('&quot;', '"')
