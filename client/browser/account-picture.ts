/**
 * The script of the picture page (spec/account-centre#picture). The code that crops a picture is loaded once the user
 * has chosen one.
 */

const input = document.querySelector<HTMLInputElement>('[data-crop]')

input?.addEventListener('change', async () => {
  const [file] = input.files ?? []
  if (!file) return
  const { cropPicture } = await import('./crop-picture.ts')
  await cropPicture(input, file)
})
