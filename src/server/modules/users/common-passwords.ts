/** Passwords of at least ten characters that lists of common passwords begin with, and what people make of them. */
const COMMON = new Set(
  `
  1234567890 12345678910 123456789012 0123456789 0987654321 9876543210 1111111111 0000000000 1212121212
  123123123123 1231231234 1122334455 1q2w3e4r5t 1qaz2wsx3edc 1qazxsw23edc zaq12wsxcde3 q1w2e3r4t5 q1w2e3r4t5y6
  qwertyuiop qwertyuiop123 qwerty12345 qwerty123456 qwertz12345 qwertzuiop asdfghjkl1 asdfghjkl123 asdfasdfasdf
  zxcvbnm123 zxcvbnm1234 qweasdzxc123 qwerasdfzxcv abcdefghij abcdefghijk abcd123456 abc1234567 abc123abc123
  a123456789 aa12345678 aa123456789 a1b2c3d4e5 a1234567890 password10 password11 password12 password123
  password1234 password12345 passwordpassword password01 password2020 password2021 password2022 password2023
  password2024 password2025 password2026 passw0rd12 passw0rd123 p@ssw0rd123 p@ssword123 p@ssw0rd1234 mypassword
  mypassword1 newpassword newpassword1 thepassword changeme123 changemenow changeit123 letmein123 letmein1234
  iloveyou12 iloveyou123 iloveyou1234 iloveyou11 welcome123 welcome1234 welcome12345 administrator administrator1
  admin12345 admin123456 adminadmin adminadmin1 admin1234567 rootroot123 superadmin superuser1 superman123 batman12345
  sunshine123 sunshine12 princess123 princess12 football123 football12 baseball123 basketball basketball1
  liverpool1 liverpool123 manchester manchester1 chelsea1234 barcelona1 barcelona123 realmadrid juventus123
  dragon12345 dragonball monkey12345 master12345 shadow12345 michael123 jennifer123 christian1 christopher
  alexander1 elizabeth1 jonathan12 nicholas12 butterfly1 butterfly123 chocolate1 chocolate123 strawberry
  strawberry1 watermelon pineapple1 bubblegum1 cheesecake lovelovelove ilovemyself iloveyousomuch teamoteamo
  teamomucho computer12 computer123 internet123 samsung123 google1234 facebook123 minecraft1 pokemon1234
  starwars123 startrek123 whatever12 whatever123 trustno1trustno1 letmeinletmein opensesame abracadabra
  correcthorsebatterystaple indexdesk1 indexdesk123 indexdeskindexdesk test123456 testtest123 testtesttest
  test1234567 testpassword temp123456 temporary1 temppassword secret12345 secretpassword default123 guest12345
  user123456 useruseruser demo123456 demodemodemo sommer2024 sommer2025 sommer2026 winter2024 winter2025
  summer2024 summer2025 summer2026 passwort10 passwort12 passwort123 passwort1234 passwort12345 meinpasswort
  geheim12345 geheimgeheim hallo12345 hallohallo hallo123456 willkommen willkommen1 willkommen123 schatz12345
  motdepasse motdepasse1 azertyuiop azerty12345 contrasena contrasena1 contraseña senha12345 wachtwoord wachtwoord1
  `
    .trim()
    .split(/\s+/),
);

/** Whether a password is a common one, a single character repeated, or a short piece repeated. */
export function isCommonPassword(password: string): boolean {
  const folded = password.toLowerCase();
  return COMMON.has(folded) || /^(.{1,3})\1+$/su.test(folded) || isRun(folded);
}

/** Whether each character is the next (or the one before) of the one before it: `abcdefghijkl`, `9876543210`. */
function isRun(text: string): boolean {
  for (const step of [1, -1]) {
    let run = true;
    for (let i = 1; run && i < text.length; i++) {
      run = text.charCodeAt(i) - text.charCodeAt(i - 1) === step;
    }
    if (run) return true;
  }
  return false;
}
