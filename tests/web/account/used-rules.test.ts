import { expect, it } from 'vitest'
import accountSheet from '../../../build/account-styles.json'
import { createRuleSelection } from '../../../src/web/account/used-rules.ts'

/** Tests which rules of the account centre's style sheet are part of a page (spec/account-centre#pages). */

it('a page has the rules for its classes and those without a class', () => {
  const select = createRuleSelection(
    '*{margin:0}.a{color:red}.b .c:hover,.d{color:tan}@media (width<=9px){.a{top:0}.b{top:1px}}@media print{.b{top:2px}}@keyframes turn{to{rotate:1turn}}body.mobile{top:3px}',
  )
  expect(select('<p class="a x">')).toBe(
    '*{margin:0}.a{color:red}@media (width<=9px){.a{top:0}}@keyframes turn{to{rotate:1turn}}body.mobile{top:3px}',
  )
  expect(select('<p class="d">')).toContain('.b .c:hover,.d{color:tan}')
})

it('a page with every class has the whole sheet', () => {
  const classes = [...accountSheet.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name)
  expect(createRuleSelection(accountSheet)(`<p class="${classes.join(' ')}">`)).toBe(accountSheet.trim())
})
