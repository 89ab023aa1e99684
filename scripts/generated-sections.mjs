/**
 * Sections of documents that `npm run diagrams` writes. A section is enclosed in `<!-- {name} -->` and
 * `<!-- end of {name} -->`.
 */

/** @param {string} document @param {string} name @param {string} text */
export function replaceSection(document, name, text) {
  const start = `<!-- ${name} -->\n`
  const end = `<!-- end of ${name} -->`
  const from = document.indexOf(start)
  const to = document.indexOf(end)
  if (from < 0 || to < from) throw new Error(`The document has no section "${name}".`)
  return `${document.slice(0, from)}${start}\n${text}\n${document.slice(to)}`
}

/** @param {string} document @param {Record<string, string>} sections */
export const replaceSections = (document, sections) =>
  Object.entries(sections).reduce((text, [name, section]) => replaceSection(text, name, section), document)

/** Breaks a list item into lines, which continue below its text. @param {string} bullet @param {string} text @param {number} width */
export function wrapItem(bullet, text, width) {
  const lines = [bullet]
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line === bullet) lines[0] = line + word
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(' '.repeat(bullet.length) + word)
  }
  return lines.join('\n')
}
