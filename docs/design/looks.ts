import type { SignInExperience } from '../../src/contract/experience/experience.ts'

/**
 * Ten looks made with settings alone (docs/guides/theming.md). Each is what `PATCH /api/sign-in-exp`, or `experience` in
 * vestibule.config.ts, takes. The pictures are in docs/design/art.
 */
type Look = {
  called: string
  about: string
  /** How the gallery shows it. */
  shown: { size: 'desktop' | 'mobile'; theme: 'light' | 'dark' }
  experience: Pick<SignInExperience, 'color' | 'branding'> &
    Partial<Pick<SignInExperience, 'layout' | 'customCss'>>
}

const ART = 'https://cdn.example.com/art'

const inLight = (primaryColor: string) => ({
  primaryColor,
  isDarkModeEnabled: false,
  darkPrimaryColor: primaryColor,
})
const inBoth = (primaryColor: string, darkPrimaryColor: string) => ({
  primaryColor,
  isDarkModeEnabled: true,
  darkPrimaryColor,
})

export const looks = {
  bank: {
    called: 'Harbour Bank',
    about: 'One colour, small corners, a serif for the heading.',
    shown: { size: 'desktop', theme: 'light' },
    experience: {
      color: inLight('#0B2A4A'),
      branding: { name: 'Harbour Bank', logoUrl: `${ART}/logo-bank.svg` },
      customCss: `
body { --radius: 4px; }
.vestibule-main h1 { font-family: Georgia, "Times New Roman", serif; }
@media (width > 580px) {
  .desktop .vestibule-page { background: linear-gradient(#0b2a4a 0 17rem, #eef1f5 17rem); }
  .desktop .vestibule-main { border-radius: 6px; }
}`,
    },
  },

  travel: {
    called: 'Fernweh',
    about: 'A picture beside the form, round corners, both themes.',
    shown: { size: 'desktop', theme: 'light' },
    experience: {
      color: inBoth('#0E6B64', '#4FD1C0'),
      branding: { name: 'Fernweh', logoUrl: `${ART}/logo-travel.svg` },
      layout: { type: 'Split', pictureUrl: `${ART}/mountains.svg` },
      customCss: 'body { --radius: 24px; }',
    },
  },

  music: {
    called: 'Nocturne',
    about: 'Coloured light behind a card of glass, at its best at night.',
    shown: { size: 'desktop', theme: 'dark' },
    experience: {
      color: inBoth('#B8266B', '#FF6FA3'),
      branding: { name: 'Nocturne', logoUrl: `${ART}/logo-music.svg` },
      customCss: `
body { --radius: 12px; }
@media (prefers-color-scheme: dark) {
  .vestibule-page {
    background:
      radial-gradient(50rem 34rem at 12% 8%, #7b1e6a, transparent 70%),
      radial-gradient(46rem 38rem at 92% 88%, #22307f, transparent 70%),
      #0d0716;
  }
}
@media (prefers-color-scheme: dark) and (width > 580px) {
  .desktop .vestibule-main {
    border: 1px solid rgb(255 255 255 / 14%);
    background: rgb(18 10 28 / 72%);
    backdrop-filter: blur(24px);
  }
}`,
    },
  },

  kids: {
    called: 'Pebble',
    about: 'Outlines, solid shadows, and a ground like paper.',
    shown: { size: 'desktop', theme: 'light' },
    experience: {
      color: inLight('#D93A16'),
      branding: { name: 'Pebble', logoUrl: `${ART}/logo-kids.svg` },
      customCss: `
body { --radius: 18px; --color-neutral-variant-60: #1a1423; --color-line-border-transparent: #1a1423; }
.vestibule-main h1 { font-weight: 800; }
@media (width > 580px) {
  .desktop .vestibule-page {
    background: radial-gradient(#e8a800 1.5px, transparent 2px) 0 0 / 26px 26px, #ffd54a;
  }
  .desktop .vestibule-page .vestibule-signature,
  .desktop .vestibule-page { --color-type-secondary: #4a3c12; }
  .desktop .vestibule-main {
    --color-type-secondary: #5a4d66;
    border: 3px solid #1a1423;
    border-radius: 28px;
    box-shadow: 10px 10px 0 #1a1423;
  }
}`,
    },
  },

  press: {
    called: 'The Ledger',
    about: 'Paper, ink and double rules; no shadow, no corner.',
    shown: { size: 'desktop', theme: 'light' },
    experience: {
      color: inLight('#14110D'),
      branding: { name: 'The Ledger', logoUrl: `${ART}/logo-press.svg` },
      customCss: `
:root { --font-family: Georgia, "Times New Roman", serif; }
body { --radius: 0px; --color-bg-float: #fffdf8; --color-type-secondary: #5b5348; }
.vestibule-page, .desktop .vestibule-page { background: #f7f1e5; }
.vestibule-main h1 { font-weight: 400; font-style: italic; }
@media (width > 580px) {
  .desktop .vestibule-main {
    padding-block: 28px 40px;
    border-block: 6px double #14110d;
    border-radius: 0;
    background: none;
    box-shadow: none;
  }
}`,
    },
  },

  devbox: {
    called: 'devbox',
    about: 'One typeface of one width, no card, dark by the system.',
    shown: { size: 'desktop', theme: 'dark' },
    experience: {
      color: inBoth('#0A7A43', '#2FBF71'),
      branding: { name: 'devbox', logoUrl: `${ART}/logo-devbox.svg` },
      layout: { type: 'Plain' },
      customCss: `
:root { --font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
body { --radius: 3px; }
body.desktop {
  background:
    linear-gradient(rgb(47 191 113 / 6%) 1px, transparent 1px) 0 -1px / 100% 32px,
    linear-gradient(90deg, rgb(47 191 113 / 6%) 1px, transparent 1px) -1px 0 / 32px 100%,
    var(--color-bg-body);
}
.desktop .vestibule-page { padding-block-start: 12vh; }
.vestibule-main h1 { letter-spacing: -0.04em; }`,
    },
  },

  city: {
    called: 'Auental',
    about: 'A public office: a band, plain lines, large type, strong contrast.',
    shown: { size: 'desktop', theme: 'light' },
    experience: {
      color: inLight('#00528C'),
      branding: { name: 'Auental', logoUrl: `${ART}/logo-city.svg` },
      customCss: `
body { --radius: 0px; --color-neutral-variant-60: #1b1a21; --color-type-secondary: #3f3e45; }
.vestibule-page { background: linear-gradient(#00528c 0 8px, #ffc82e 8px 12px, transparent 12px); }
.vestibule-main h1 { font-size: 1.75rem; line-height: 2.25rem; }
@media (width > 580px) {
  .desktop .vestibule-page {
    padding-block-start: 128px;
    background: linear-gradient(#00528c 0 72px, #ffc82e 72px 78px, #eef3f7 78px);
  }
  .desktop .vestibule-main {
    border: 1px solid #b8c7d3;
    border-radius: 0;
    box-shadow: none;
  }
}`,
    },
  },

  florist: {
    called: 'Bloom & Stem',
    about: 'A drawing beside the form, a soft ground, a heading in italics.',
    shown: { size: 'desktop', theme: 'light' },
    experience: {
      color: inLight('#A82E58'),
      branding: { name: 'Bloom & Stem', logoUrl: `${ART}/logo-florist.svg` },
      layout: { type: 'Split', pictureUrl: `${ART}/garden.svg` },
      customCss: `
body { --radius: 12px; background: #fff9f6; }
.vestibule-main h1 { font: italic 400 1.75rem / 2rem Georgia, "Times New Roman", serif; color: #5b1f38; }
@media (width >= 900px) {
  .vestibule-picture img { border-start-end-radius: 48px; border-end-end-radius: 48px; }
  .vestibule-picture { background: none; }
}`,
    },
  },

  studio: {
    called: 'FORM',
    about: 'Shapes drawn in the CSS, a heading in capitals, square corners.',
    shown: { size: 'desktop', theme: 'light' },
    experience: {
      color: inLight('#D62718'),
      branding: { name: 'FORM', logoUrl: `${ART}/logo-studio.svg` },
      customCss: `
body { --radius: 0px; }
.vestibule-main h1 { font-weight: 800; text-transform: uppercase; letter-spacing: 0.02em; }
@media (width > 580px) {
  .desktop .vestibule-page {
    background:
      radial-gradient(circle at 50%, #1d4ed8 0 140px, transparent 141px) calc(50% - 340px) 90px / 300px 300px no-repeat,
      conic-gradient(from 0deg at 0 100%, #f2b705 0 45deg, transparent 0) calc(50% + 350px) 60px / 260px 260px no-repeat,
      linear-gradient(#d62718, #d62718) calc(50% + 330px) 480px / 220px 220px no-repeat,
      linear-gradient(#111, #111) calc(50% - 370px) 520px / 260px 44px no-repeat,
      linear-gradient(#111, #111) calc(50% - 370px) 596px / 170px 44px no-repeat,
      #f3efe6;
  }
  .desktop .vestibule-main { border-radius: 0; box-shadow: none; }
}`,
    },
  },

  clinic: {
    called: 'Mild',
    about: 'For the web view of an app: no card, mint from edge to edge.',
    shown: { size: 'mobile', theme: 'light' },
    experience: {
      color: inLight('#12806A'),
      branding: { name: 'Mild', logoUrl: `${ART}/logo-clinic.svg` },
      layout: { type: 'Plain' },
      customCss: `
body {
  --radius: 24px;
  min-block-size: 100dvh;
  background: linear-gradient(#d3f1e6, #f4fbf8 60%) fixed;
  --color-type-secondary: #3f5a53;
}
.vestibule-branding { margin-block: 8vh 24px; }`,
    },
  },
} as const satisfies Record<string, Look>
