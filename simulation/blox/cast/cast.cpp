// Casts rays into a scene of triangles.
//
// Every surface has a picture, a roughness and a reflectance. Rectangular lamps throw soft shadows.
// Each sample has one ray to a place on each lamp, one of the light of all around, and one of gloss;
// clear plastic refracts. There is one sample a pixel, and more where things or colours meet. The
// light, not the colours, is then smoothed within each thing.

#include <cstdint>
#include <cstdlib>

#include "tree.h"

namespace {

// ---------------------------------------------------------------- what comes from outside

struct Corner {
    Vec place, normal;
    float u, v;
};

struct Surface {
    Vec color;
    float roughness, reflectance, clear, bump, picture;  // clear: 0 or 1; picture: -1 for none
};

struct Kind {  // of a triangle
    int32_t surface, thing, casts_shadow;
};

const int CHANNELS = 5;  // of a picture: red, green, blue, slope across, slope down

struct Picture {
    int width, height;
    const float* texels;
};

struct Lamp {  // a rectangle
    Vec middle, half_across, half_up, radiance;
    Vec normal() const { return unit(cross(half_across, half_up)); }
    float area() const {
        Vec normal = cross(half_across, half_up);
        return 4 * std::sqrt(dot(normal, normal));
    }
};

struct Around {  // the light of the room
    Vec up, level, down;
};

struct Camera {
    Vec position, right, up, forward;
    float focal;
};

// ---------------------------------------------------------------- the scene

struct Hit {
    Vec place, normal, face, color;  // face: the normal of the triangle itself
    const Surface* surface;
    int thing;
    float away;
};

int folded(int at, int size) {  // pictures are mirrored beyond their edges
    int within = at % (2 * size);
    if (within < 0) within += 2 * size;
    return within < size ? within : 2 * size - 1 - within;
}

struct Scene {
    const Corner* corners;
    const Kind* kinds;
    const Surface* surfaces;
    vector<Picture> pictures;
    vector<Lamp> lamps;
    Around around;
    Tree all, casting;

    bool hit(Vec from, Vec way, Hit& hit) const {
        float u, v;
        hit.away = FAR;
        int number = all.hit<false>(from, way, hit.away, u, v);
        if (number < 0) return false;
        const Corner *a = corners + 3 * number, *b = a + 1, *c = a + 2;
        Vec first = b->place - a->place, second = c->place - a->place;
        hit.place = from + way * hit.away;
        hit.normal = unit(a->normal * (1 - u - v) + b->normal * u + c->normal * v);
        hit.face = unit(cross(first, second));
        if (dot(hit.face, hit.normal) < 0) hit.face = -hit.face;
        hit.surface = surfaces + kinds[number].surface;
        hit.thing = kinds[number].thing;
        hit.color = hit.surface->color;
        if (hit.surface->picture < 0) return true;
        const Picture& picture = pictures[int(hit.surface->picture)];
        float across = (a->u * (1 - u - v) + b->u * u + c->u * v) * picture.width - .5f;
        float down = (1 - (a->v * (1 - u - v) + b->v * u + c->v * v)) * picture.height - .5f;
        float texel[CHANNELS];
        look_up(picture, across, down, texel);
        hit.color = hit.color * Vec{texel[0], texel[1], texel[2]};
        if (hit.surface->bump > 0) {  // the normal leans as the picture's slopes do
            float u1 = b->u - a->u, u2 = c->u - a->u, v1 = b->v - a->v, v2 = c->v - a->v;
            float turned = u1 * v2 - u2 * v1 < 0 ? -1.f : 1.f;
            Vec along_u = unit((first * v2 - second * v1) * turned);
            Vec along_v = unit((second * u1 - first * u2) * turned);
            Vec lean = along_u * texel[3] - along_v * texel[4];
            hit.normal = unit(hit.normal - lean * hit.surface->bump);
        }
        return true;
    }

    bool is_dark(Vec from, Vec way, float reach) const {
        float u, v;
        return casting.hit<true>(from, way, reach, u, v) >= 0;
    }

    Vec light_around(Vec way) const {
        float z = way.z;
        if (z < 0) {
            float share = min(1.f, -z * 4);
            return around.level * ((1 - share) * .7f) + around.down * (.3f + .7f * share);
        }
        float share = std::pow(z, .7f), turn = std::atan2(way.y, way.x);
        float uneven = 1 + .18f * std::sin(turn * 3 + 1) + .1f * std::sin(z * 9);
        uneven += .12f * std::sin(turn * 7 + 2) * (1 - share);
        return (around.level * (1 - share) + around.up * share) * uneven;
    }

    Vec lamps_and_around(Vec from, Vec way) const {
        Vec light = light_around(way);
        for (const Lamp& lamp : lamps) {
            Vec normal = lamp.normal();
            float facing = dot(way, normal);
            if (std::fabs(facing) < 1e-5f) continue;
            float away = dot(lamp.middle - from, normal) / facing;
            if (away <= 0) continue;
            Vec off = from + way * away - lamp.middle;
            float a = dot(off, lamp.half_across) / dot(lamp.half_across, lamp.half_across);
            float b = dot(off, lamp.half_up) / dot(lamp.half_up, lamp.half_up);
            if (std::fabs(a) < 1 && std::fabs(b) < 1) light = light + lamp.radiance;
        }
        return light;
    }

    // About the light that falls on a place that is seen in something else.
    Vec about_the_light(Vec place, Vec normal) const {
        Vec light = around.up * (.5f + .5f * normal.z) + around.level * (.5f - .3f * normal.z);
        light = light * .6f;
        for (const Lamp& lamp : lamps) {
            Vec off = lamp.middle - place, way = unit(off);
            float here = dot(way, normal), there = std::fabs(dot(way, lamp.normal()));
            if (here > 0)
                light = light + lamp.radiance * (here * there * lamp.area() / dot(off, off) * .2387f);
        }
        return light;
    }

  private:
    static void look_up(const Picture& picture, float across, float down, float* texel) {
        int x = int(std::floor(across)), y = int(std::floor(down));
        float right = across - x, low = down - y;
        int x0 = folded(x, picture.width), x1 = folded(x + 1, picture.width);
        const float* top = picture.texels + size_t(CHANNELS) * picture.width * folded(y, picture.height);
        const float* bottom =
            picture.texels + size_t(CHANNELS) * picture.width * folded(y + 1, picture.height);
        for (int k = 0; k < CHANNELS; k++) {
            float upper = top[CHANNELS * x0 + k] * (1 - right) + top[CHANNELS * x1 + k] * right;
            float lower = bottom[CHANNELS * x0 + k] * (1 - right) + bottom[CHANNELS * x1 + k] * right;
            texel[k] = upper * (1 - low) + lower * low;
        }
    }
};

// ---------------------------------------------------------------- a sample

uint32_t hashed(uint32_t x) {
    x ^= x >> 16, x *= 0x7feb352du;
    x ^= x >> 15, x *= 0x846ca68bu;
    return x ^ x >> 16;
}

class Chance {  // evenly spread over neighbouring pixels
  public:
    Chance(int x, int y, int number, uint32_t seed) {
        float a = x + 5.588238f * number, b = y + 5.588238f * number;
        first = 52.9829189f * std::fmod(.06711056f * a + .00583715f * b, 1.f);
        second = (seed & 0xffffff) / 16777216.f;
    }
    float next() {
        count++;
        float value = (count & 1 ? first : second) + .75487767f * count;
        return value - std::floor(value);
    }

  private:
    float first, second;
    int count = 0;
};

struct Sample {
    Vec color = {0, 0, 0}, fallen = {0, 0, 0}, shine = {0, 0, 0};  // it shows color * fallen + shine
    Vec normal = {0, 0, 0};
    int thing = -1;
    float away = 1e4f;
    bool through_clear = false;
};

float highlight(const Surface& surface, Vec way, Vec normal, Vec to_lamp) {
    float r = surface.roughness, seen = max(.05f, -dot(normal, way)), lit = dot(normal, to_lamp);
    Vec between = unit(to_lamp - way);
    float peak = max(0.f, dot(normal, between)), wide = r * r * r * r;
    float spread = peak * peak * (wide - 1) + 1;
    float share = wide / (PI * spread * spread);
    float fresnel = surface.reflectance;
    fresnel += (1 - fresnel) * fifth_power(1 - max(0.f, dot(between, to_lamp)));
    float shown = min(1.f, seen * lit * 4 + .2f) / (4 * max(seen, .1f) * max(lit, .1f));
    return share * fresnel * shown * lit;
}

// The light that falls on an opaque place, and what it mirrors.
void shade(const Scene& scene, const Hit& hit, Vec way, Vec normal, Vec face, bool is_even, Chance& chance,
           Sample& sample) {
    const Surface& surface = *hit.surface;
    float reflectance = surface.reflectance, roughness = surface.roughness;
    if (dot(normal, way) > 0) normal = face;
    Vec place = hit.place + face * 2e-3f, fallen = {0, 0, 0}, shine = {0, 0, 0};
    for (const Lamp& lamp : scene.lamps) {
        float a = chance.next() * 2 - 1, b = chance.next() * 2 - 1;
        Vec to_lamp = lamp.middle + lamp.half_across * a + lamp.half_up * b - place;
        float square = dot(to_lamp, to_lamp), away = std::sqrt(square);
        to_lamp = to_lamp * (1 / away);
        float lit = dot(to_lamp, normal);
        if (lit <= 0 || dot(to_lamp, face) <= 0) continue;
        if (scene.is_dark(place, to_lamp, away - 1e-2f)) continue;
        float seen_size = std::fabs(dot(to_lamp, lamp.normal())) * lamp.area() / square;
        fallen = fallen + lamp.radiance * (lit * seen_size / PI);
        if (reflectance > 0 && roughness >= .12f) {
            float bright = highlight(surface, way, normal, to_lamp) * seen_size;
            shine = shine + lamp.radiance * min(bright, 4.f);
        }
    }
    // Of all around, or of what stands in between.
    float u = chance.next(), turn = 2 * PI * chance.next(), reach = 14, a, b;
    Vec side = unit(std::fabs(normal.x) > .7f ? cross(normal, Vec{0, 1, 0}) : cross(normal, Vec{1, 0, 0}));
    Vec out = side * std::cos(turn) + cross(normal, side) * std::sin(turn);
    Vec ray = unit(out * std::sqrt(u) + normal * std::sqrt(max(0.f, 1 - u)));
    Hit other;
    if (ray.z < -.02f && face.z < .3f) {  // down to the table or the board: its colour matters
        bool is_hit = scene.hit(place, ray, other);
        fallen = fallen + (is_hit ? other.color * scene.about_the_light(other.place, other.normal) * .7f
                                  : scene.light_around(ray));
    } else {
        int number = scene.casting.hit<true>(place, ray, reach, a, b);
        if (number < 0) {
            fallen = fallen + scene.light_around(ray);
        } else {
            Vec color = scene.surfaces[scene.kinds[number].surface].color;
            fallen = fallen + color * scene.about_the_light(place + ray * reach, -ray) * .55f;
        }
    }
    // Gloss; where it is not sharp, every second pixel tells enough.
    bool is_sharp = roughness < .15f || sample.through_clear;
    if (reflectance > 0 && (is_sharp || is_even)) {
        Vec off = {chance.next() - .5f, chance.next() - .5f, chance.next() - .5f};
        Vec mirror = unit(unit(mirrored(way, normal)) + off * (roughness * 1.6f));
        float above = dot(mirror, face);
        if (above < .01f) mirror = unit(mirror + face * (.02f - above));
        float facing = max(0.f, -dot(normal, way));
        float share = (1 - reflectance) * fifth_power(1 - facing) * (1 - roughness * .8f);
        Vec light;
        if (scene.hit(place, mirror, other))
            light = other.color * scene.about_the_light(other.place, other.normal) * .8f;
        else
            light = roughness < .12f ? scene.lamps_and_around(place, mirror) : scene.light_around(mirror);
        shine = shine + light * ((reflectance + share) * (is_sharp ? 1 : 2));
    }
    sample.color = hit.color * (1 - reflectance), sample.fallen = fallen, sample.shine = shine;
}

Sample cast(const Scene& scene, const Camera& camera, int width, int height, int x, int y, int number,
            uint32_t seed) {
    uint32_t noise = hashed(uint32_t(size_t(y) * width + x) * 9781u + number * 6271u + seed);
    Chance chance(x, y, number, noise);
    static const float across[4] = {.5f, .14f, .86f, .4f}, along[4] = {.5f, .7f, .3f, .1f};
    float right = x + across[number & 3] - width / 2.f, down = y + along[number & 3] - height / 2.f;
    Vec way = unit(camera.forward * camera.focal + camera.right * right - camera.up * down);
    Vec from = camera.position, left = {1, 1, 1}, shine = {0, 0, 0};  // left: of the light
    Sample sample;
    for (int bounce = 0; bounce < 9; bounce++) {
        Hit hit;
        if (!scene.hit(from, way, hit)) {
            shine = shine + left * scene.light_around(way);
            break;
        }
        bool is_inside = dot(hit.face, way) > 0;
        Vec normal = is_inside ? -hit.normal : hit.normal, face = is_inside ? -hit.face : hit.face;
        if (!bounce) sample.thing = hit.thing, sample.normal = hit.normal, sample.away = hit.away;
        if (hit.surface->clear == 0 || bounce == 8) {
            shade(scene, hit, way, normal, face, (x + y + number) & 1, chance, sample);
            break;
        }
        sample.through_clear = true;
        float facing = min(1.f, std::fabs(dot(normal, way)));
        float mirrored_share = .045f + .955f * fifth_power(1 - facing);
        Vec mirror = unit(mirrored(way, normal));
        if (!is_inside) shine = shine + left * scene.lamps_and_around(hit.place, mirror) * mirrored_share;
        if (is_inside) left = left * hit.color;
        float density = is_inside ? 1.45f : 1 / 1.45f;
        float bent = 1 - density * density * (1 - facing * facing);
        if (bent < 0) {  // it does not get out
            way = mirror, from = hit.place + face * 1e-3f;
        } else {
            way = unit(way * density + normal * (density * facing - std::sqrt(bent)));
            from = hit.place - face * 1e-3f;
            if (!is_inside) left = left * (1 - mirrored_share);
        }
    }
    if (sample.through_clear) {  // what is seen through plastic is not smoothed as its light
        sample.shine = shine + left * (sample.color * sample.fallen + sample.shine);
        sample.color = sample.fallen = {0, 0, 0};
    } else {
        sample.shine = sample.shine + shine;
    }
    return sample;
}

// ---------------------------------------------------------------- the picture

struct Layers {
    int width, height;
    vector<Sample> samples;
    vector<Vec> together;  // what color * fallen is more than the product of their means
};

bool differ(const Sample& a, const Sample& b) {
    if (a.thing != b.thing || a.through_clear || b.through_clear) return true;
    float apart = 0;
    for (int k = 0; k < 3; k++) apart += std::fabs(std::sqrt(a.color[k]) - std::sqrt(b.color[k]));
    return apart > .16f || dot(a.normal, b.normal) < .7f;
}

Layers layers_of(const Scene& scene, const Camera& camera, int width, int height, int more, uint32_t seed) {
    size_t size = size_t(width) * height;
    Layers layers = {width, height, vector<Sample>(size), vector<Vec>(size, Vec{0, 0, 0})};
    vector<Sample>& samples = layers.samples;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            samples[size_t(y) * width + x] = cast(scene, camera, width, height, x, y, 0, seed);
    vector<uint8_t> is_edge(size, 0);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            size_t at = size_t(y) * width + x;
            if (x + 1 < width && differ(samples[at], samples[at + 1])) is_edge[at] = is_edge[at + 1] = 1;
            if (y + 1 < height && differ(samples[at], samples[at + width]))
                is_edge[at] = is_edge[at + width] = 1;
        }
    for (size_t at = 0; at < size; at++) {
        if (!is_edge[at]) continue;
        Sample& sample = samples[at];
        Vec product = sample.color * sample.fallen;
        for (int number = 1; number <= more; number++) {
            Sample other = cast(scene, camera, width, height, int(at % width), int(at / width), number, seed);
            sample.color = sample.color + other.color;
            sample.fallen = sample.fallen + other.fallen;
            sample.shine = sample.shine + other.shine;
            product = product + other.color * other.fallen;
        }
        float share = 1.f / (more + 1);
        sample.color = sample.color * share, sample.fallen = sample.fallen * share;
        sample.shine = sample.shine * share;
        layers.together[at] = product * share - sample.color * sample.fallen;
    }
    return layers;
}

// The mean of neighbours `step` px apart on the same thing, as far as they are alike.
void smooth(const Layers& layers, vector<Vec>& light, int step, float alike, bool is_narrow) {
    static const float weights[3] = {3 / 8.f, 1 / 4.f, 1 / 16.f};
    vector<Vec> before = light;
    for (int y = 0; y < layers.height; y++)
        for (int x = 0; x < layers.width; x++) {
            size_t at = size_t(y) * layers.width + x;
            const Sample& here = layers.samples[at];
            if (here.thing < 0 || (here.through_clear && step > 2)) continue;
            float near = here.through_clear ? (step == 1 ? .9f : .3f) : alike, total = 0;
            float bright = before[at].x + before[at].y + before[at].z;
            Vec sum = {0, 0, 0};
            for (int down = -2; down <= 2; down++)
                for (int right = -2; right <= 2; right++) {
                    int u = x + right * step, v = y + down * step;
                    if (u < 0 || v < 0 || u >= layers.width || v >= layers.height) continue;
                    if (is_narrow && std::abs(right) + std::abs(down) > 2) continue;
                    size_t there = size_t(v) * layers.width + u;
                    const Sample& other = layers.samples[there];
                    if (other.thing != here.thing || other.through_clear != here.through_clear) continue;
                    if (dot(here.normal, other.normal) < .9f) continue;
                    Vec value = before[there];
                    float apart = (value.x + value.y + value.z - bright) / (near * (bright + .1f));
                    float weight = weights[std::abs(right)] * weights[std::abs(down)];
                    weight /= 1 + apart * apart * apart * apart;
                    sum = sum + value * weight, total += weight;
                }
            if (total > 0) light[at] = sum * (1 / total);
        }
}

}  // namespace

// light: (height, width, 3), linear; away: (height, width), the distances of what is seen.
extern "C" void cast_picture(int triangles, const Corner* corners, const Kind* kinds, const Surface* surfaces,
                             int pictures, const int32_t* sizes, const float* const* texels, int lamps,
                             const Lamp* lamp, const Around* around, const Camera* camera, int width,
                             int height, int more, uint32_t seed, Vec* light, float* away) {
    Scene scene = {corners, kinds, surfaces, {}, {lamp, lamp + lamps}, *around, {}, {}};
    for (int i = 0; i < pictures; i++)
        scene.pictures.push_back({sizes[2 * i], sizes[2 * i + 1], texels[i]});
    vector<Triangle> all, casting;
    for (int i = 0; i < triangles; i++) {
        Vec a = corners[3 * i].place, b = corners[3 * i + 1].place, c = corners[3 * i + 2].place;
        all.push_back({a, b - a, c - a, i});
        if (kinds[i].casts_shadow) casting.push_back(all.back());
    }
    scene.all.build(std::move(all));
    scene.casting.build(std::move(casting));
    Layers layers = layers_of(scene, *camera, width, height, more, seed);
    size_t size = size_t(width) * height;
    vector<Vec> fallen(size), shine(size);
    for (size_t at = 0; at < size; at++)
        fallen[at] = layers.samples[at].fallen, shine[at] = layers.samples[at].shine;
    smooth(layers, fallen, 1, 1e3f, true);
    smooth(layers, fallen, 2, 1.2f, true);
    smooth(layers, fallen, 4, .45f, true);
    smooth(layers, shine, 1, 1e3f, false);
    smooth(layers, shine, 2, 2.f, false);
    for (size_t at = 0; at < size; at++) {
        Vec extra = layers.together[at];
        auto some = [](float x) { return max(-.3f, min(.3f, x)); };
        light[at] = layers.samples[at].color * fallen[at] + shine[at];
        light[at] = light[at] + Vec{some(extra.x), some(extra.y), some(extra.z)};
        away[at] = layers.samples[at].away;
    }
}
