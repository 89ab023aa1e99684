/** Builds an HTML page with all screenshots in a folder: one row per screen, one column per size and theme. */

const columns = ['desktop light', 'desktop dark', 'mobile light', 'mobile dark']

/** @param {readonly string[]} files names such as `sign-in-light-desktop.png`, the words in any order */
export function renderContactSheet(files) {
  const pictures = files.map(readName)
  const rows = Map.groupBy(
    pictures.filter(({ column }) => columns.includes(column)),
    ({ title }) => title,
  )
  const others = pictures.filter(({ column }) => !columns.includes(column))
  return [
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Screens</title>',
    `<style>${STYLES}</style><h1>Screens</h1><table><tr><th>Screen</th>`,
    ...columns.map((column) => `<th>${column}</th>`),
    '</tr>',
    ...[...rows].map(([title, pictures]) => rowOf(title, pictures)),
    '</table>',
    ...(others.length > 0 ? ['<h2>Further</h2><div>', ...others.map(figureOf), '</div>'] : []),
    '</html>',
  ].join('\n')
}

/** @typedef {{ file: string, title: string, column: string }} Picture */

/** @param {string} file @returns {Picture} */
function readName(file) {
  const words = file.replace(/\.png$/, '').split('-')
  const size = words.find((word) => ['desktop', 'mobile'].includes(word))
  const theme = words.find((word) => ['light', 'dark'].includes(word))
  const title = words.filter((word) => word !== size && word !== theme).join(' ')
  return { file, title, column: `${size} ${theme}` }
}

/** @param {string} title @param {readonly Picture[]} pictures */
const rowOf = (title, pictures) =>
  `<tr><th>${title}</th>${columns
    .map(
      (column) =>
        `<td>${pictures
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

const STYLES = `
body{margin:24px;font:14px/1.4 system-ui,sans-serif;color:#1b1a21;background:#eceaf0}
th{padding:8px;text-align:start;vertical-align:top}
tr:first-child th{position:sticky;inset-block-start:0;background:#eceaf0}
td{padding:4px 8px 20px;vertical-align:top}
img{display:block;inline-size:340px;border-radius:6px;box-shadow:0 1px 6px rgb(0 0 0/25%)}
td:nth-child(n+4) img{inline-size:170px}
div{display:flex;flex-wrap:wrap;gap:16px}
figure{margin:0}
`
