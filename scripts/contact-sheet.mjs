/**
 * Builds an HTML page with all screenshots in a folder: one table per family of screens, with one row per screen and
 * one column per language, size and theme.
 */

const languages = ['en', 'ar', 'de']
const sizes = ['desktop', 'mobile']
const themes = ['light', 'dark']
const columns = languages.flatMap((language) =>
  sizes.flatMap((size) => themes.map((theme) => [language, size, theme].join(' '))),
)

/**
 * @param {readonly string[]} files pictures with names such as `first-expired-ar-mobile-dark.png`, which begin with the
 *   family, and other files to link to
 */
export function renderContactSheet(files) {
  const pictures = files.filter((file) => file.endsWith('.png')).map(readName)
  const inColumns = pictures.filter(({ column }) => columns.includes(column))
  const others = pictures.filter(({ column }) => !columns.includes(column))
  const links = files.filter((file) => !file.endsWith('.png'))
  return [
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Screens</title>',
    `<style>${STYLES}</style><h1>Screens</h1>`,
    ...[...Map.groupBy(inColumns, ({ family }) => family)].map(([family, own]) => tableOf(family, own)),
    ...(others.length > 0 ? ['<h2>Further</h2><div>', ...others.map(figureOf), '</div>'] : []),
    ...(links.length > 0 ? ['<h2>Files</h2><ul>', ...links.map(linkTo), '</ul>'] : []),
    '</html>',
  ].join('\n')
}

/** @typedef {{ file: string, family: string, title: string, column: string }} Picture */

/** @param {string} file @returns {Picture} */
function readName(file) {
  const words = file.replace(/\.png$/, '').split('-')
  const size = words.find((word) => sizes.includes(word))
  const theme = words.find((word) => themes.includes(word))
  const language = words.findLast((word) => languages.includes(word)) ?? 'en'
  const [family = '', ...rest] = words.filter((word) => ![language, size, theme].includes(word))
  return { file, family, title: rest.join(' ') || family, column: [language, size, theme].join(' ') }
}

/** @param {string} family @param {readonly Picture[]} pictures */
function tableOf(family, pictures) {
  const own = columns.filter((column) => pictures.some((picture) => picture.column === column))
  const rows = Map.groupBy(pictures, ({ title }) => title)
  return [
    `<h2 id="${family}">${family}</h2><table><tr><th>Screen</th>`,
    ...own.map((column) => `<th>${column}</th>`),
    '</tr>',
    ...[...rows].map(([title, row]) => rowOf(title, row, own)),
    '</table>',
  ].join('\n')
}

/** @param {string} title @param {readonly Picture[]} pictures @param {readonly string[]} own */
const rowOf = (title, pictures, own) =>
  `<tr><th>${title}</th>${own
    .map(
      (column) =>
        `<td class="${column}">${pictures
          .filter((each) => each.column === column)
          .map(imageOf)
          .join('')}</td>`,
    )
    .join('')}</tr>`

/** @param {Picture} picture */
const imageOf = ({ file, title, column }) =>
  `<a href="${encodeURIComponent(file)}"><img src="${encodeURIComponent(file)}" alt="${title}, ${column}" loading="lazy"></a>`

/** @param {Picture} picture */
const figureOf = (picture) => `<figure>${imageOf(picture)}<figcaption>${picture.title}</figcaption></figure>`

/** @param {string} file */
const linkTo = (file) => `<li><a href="${encodeURI(file)}">${file}</a></li>`

const STYLES = `
body{margin:24px;font:14px/1.4 system-ui,sans-serif;color:#1b1a21;background:#eceaf0}
th{padding:8px;text-align:start;vertical-align:top}
tr:first-child th{position:sticky;inset-block-start:0;background:#eceaf0}
td{padding:4px 8px 20px;vertical-align:top}
img{display:block;inline-size:340px;border-radius:6px;box-shadow:0 1px 6px rgb(0 0 0/25%)}
.mobile img{inline-size:170px}
div{display:flex;flex-wrap:wrap;gap:16px}
figure{margin:0}
ul{columns:3}
`
