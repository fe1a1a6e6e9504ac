// @ts-check
// What the experiment says, in English and Korean.

const english = {
  title: "From which size does compression pay?",
  lead: "Threads put values into a store and get them back over connections that they share. Every point is simulated in this page, at the costs that a profile was measured to have; nothing leaves your machine.",
  profile: "Profile",
  drop: "Open your own (cachecast bench), or drop it here",
  threads: "Threads",
  cores: "Cores",
  connections: "Connections",
  bandwidth: "Link each way",
  apart: "The store has a machine of its own",
  minimise: "Minimise",
  p95: "p95 of set+get, µs",
  cpu: "processor time of set+get, µs",
  bytes: "bytes of a value on the link",
  unlimited: "unlimited",
  size: "Size of value",
  none: "no codec",
  keep: "No compression: no codec gains at the largest sizes.",
  use: (
    /** @type {string} */ codec,
    /** @type {string} */ size,
    /** @type {string} */ what,
    /** @type {number} */ share,
  ) => `${codec} from ${size} on: ${what} ${share} % lower, on average over the sizes.`,
  working: "simulating …",
  refused: "The profile cannot be used: ",
  ignored: "Not understood in the link, left at its default: ",
  table: "The figures",
  language: "한국어",
};

/** @type {typeof english} */
const korean = {
  title: "압축은 어느 크기부터 이득인가?",
  lead: "여러 스레드가 공유 연결로 값을 저장소에 넣고 다시 읽습니다. 모든 점은 측정된 프로파일의 비용으로 이 페이지 안에서 시뮬레이션되며, 아무것도 밖으로 나가지 않습니다.",
  profile: "프로파일",
  drop: "내 프로파일 열기(cachecast bench) 또는 여기에 놓기",
  threads: "스레드",
  cores: "코어",
  connections: "연결 수",
  bandwidth: "링크(방향별)",
  apart: "저장소가 별도 머신에 있음",
  minimise: "최소화할 값",
  p95: "set+get의 p95, µs",
  cpu: "set+get의 CPU 시간, µs",
  bytes: "링크를 지나는 값의 바이트",
  unlimited: "무제한",
  size: "값의 크기",
  none: "압축 없음",
  keep: "압축하지 않음: 가장 큰 값에서도 이득인 코덱이 없습니다.",
  use: (codec, size, what, share) => `${size}부터 ${codec}: ${what}이(가) 크기 평균으로 ${share} % 낮아집니다.`,
  working: "시뮬레이션 중 …",
  refused: "이 프로파일은 쓸 수 없습니다: ",
  ignored: "링크에서 이해하지 못해 기본값으로 둔 항목: ",
  table: "수치",
  language: "English",
};

export const words = { en: english, ko: korean };
