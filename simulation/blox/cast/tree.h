// Vectors, and a tree of boxes that finds the triangle that a ray meets.

#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

using std::max;
using std::min;
using std::vector;

namespace {

const float PI = 3.14159265f, FAR = 1e29f, NONE = 1e30f;

struct Vec {
    float x, y, z;
    float operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
};

Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vec operator*(Vec a, float by) { return {a.x * by, a.y * by, a.z * by}; }
Vec operator*(Vec a, Vec b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
Vec operator-(Vec a) { return {-a.x, -a.y, -a.z}; }
float dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vec cross(Vec a, Vec b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Vec unit(Vec a) {
    float square = dot(a, a);
    return square > 0 ? a * (1 / std::sqrt(square)) : a;
}
Vec mirrored(Vec way, Vec normal) { return way - normal * (2 * dot(way, normal)); }
float fifth_power(float x) { return x * x * x * x * x; }

struct Triangle {
    Vec corner, first, second;  // both edges from the corner
    int number;
    float middle(int axis) const { return corner[axis] + (first[axis] + second[axis]) / 3; }
};

struct Box {
    float low[3] = {NONE, NONE, NONE}, high[3] = {-NONE, -NONE, -NONE};

    void take(const Triangle& triangle) {
        Vec corners[3] = {triangle.corner, triangle.corner + triangle.first,
                          triangle.corner + triangle.second};
        for (Vec corner : corners)
            for (int axis = 0; axis < 3; axis++) {
                low[axis] = min(low[axis], corner[axis]);
                high[axis] = max(high[axis], corner[axis]);
            }
    }
    void take(const Box& other) {
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = min(low[axis], other.low[axis]);
            high[axis] = max(high[axis], other.high[axis]);
        }
    }
    float area() const {
        float x = max(0.f, high[0] - low[0]), y = max(0.f, high[1] - low[1]);
        float z = max(0.f, high[2] - low[2]);
        return x * y + y * z + z * x;
    }
    // How far away a ray enters, or NONE.
    float enters(Vec from, Vec inverse, float reach) const {
        float start = 0, end = reach;
        for (int axis = 0; axis < 3; axis++) {
            float a = (low[axis] - from[axis]) * inverse[axis];
            float b = (high[axis] - from[axis]) * inverse[axis];
            start = max(start, min(a, b));
            end = min(end, max(a, b));
        }
        return start <= end ? start : NONE;
    }
};

struct Node {
    Box box;
    int first, count;  // of triangles; or the first of two nodes, and 0
};

class Tree {
  public:
    void build(vector<Triangle> all) {
        triangles = std::move(all);
        nodes.assign(1, Node());
        split(0, 0, int(triangles.size()));
    }

    // The nearest triangle nearer than `reach`, or -1; with `any`, whichever is met first.
    template <bool any>
    int hit(Vec from, Vec way, float& reach, float& u, float& v) const {
        auto inverted = [](float x) { return 1 / (std::fabs(x) < 1e-9f ? 1e-9f : x); };
        Vec inverse = {inverted(way.x), inverted(way.y), inverted(way.z)};
        int found = -1, waiting = 0, stack[64];
        float entries[64];
        entries[0] = nodes[0].box.enters(from, inverse, reach);
        if (entries[0] < NONE) stack[waiting++] = 0;
        while (waiting) {
            const Node* node = &nodes[stack[--waiting]];
            if (entries[waiting] > reach) continue;
            while (!node->count) {  // down to the nearer one; the other waits
                int near = node->first, far = node->first + 1;
                float a = nodes[near].box.enters(from, inverse, reach);
                float b = nodes[far].box.enters(from, inverse, reach);
                if (a > b) std::swap(a, b), std::swap(near, far);
                if (a >= NONE) break;
                if (b < NONE) stack[waiting] = far, entries[waiting++] = b;
                node = &nodes[near];
            }
            for (int i = node->first; i < node->first + node->count; i++)
                if (meets(triangles[i], from, way, reach, u, v)) {
                    found = triangles[i].number;
                    if (any) return found;
                }
        }
        return found;
    }

  private:
    vector<Triangle> triangles;
    vector<Node> nodes;

    static bool meets(const Triangle& triangle, Vec from, Vec way, float& reach, float& u, float& v) {
        Vec across = cross(way, triangle.second);
        float determinant = dot(triangle.first, across);
        if (std::fabs(determinant) < 1e-12f) return false;
        Vec off = from - triangle.corner;
        float a = dot(off, across) / determinant;
        if (a < 0 || a > 1) return false;
        Vec other = cross(off, triangle.first);
        float b = dot(way, other) / determinant;
        if (b < 0 || a + b > 1) return false;
        float away = dot(triangle.second, other) / determinant;
        if (away < 1e-4f || away >= reach) return false;
        reach = away, u = a, v = b;
        return true;
    }

    // Where a split is cheapest, by the areas of the boxes on both sides.
    void split(int at, int start, int end) {
        Box box;
        float low[3] = {NONE, NONE, NONE}, high[3] = {-NONE, -NONE, -NONE};
        for (int i = start; i < end; i++) {
            box.take(triangles[i]);
            for (int axis = 0; axis < 3; axis++) {
                low[axis] = min(low[axis], triangles[i].middle(axis));
                high[axis] = max(high[axis], triangles[i].middle(axis));
            }
        }
        nodes[at] = {box, start, end - start};
        if (end - start <= 3) return;
        const int BINS = 12;
        auto bin = [&](const Triangle& triangle, int axis) {
            float share = (triangle.middle(axis) - low[axis]) / (high[axis] - low[axis]);
            return min(BINS - 1, int(share * BINS));
        };
        float cheapest = NONE;
        int best_axis = -1, best_bin = 0;
        for (int axis = 0; axis < 3; axis++) {
            if (high[axis] - low[axis] < 1e-7f) continue;
            Box bins[BINS], left, right;
            int counts[BINS] = {0}, left_count = 0, right_count = 0;
            for (int i = start; i < end; i++) {
                int number = bin(triangles[i], axis);
                bins[number].take(triangles[i]);
                counts[number]++;
            }
            float right_costs[BINS];
            for (int b = BINS - 1; b > 0; b--) {
                right.take(bins[b]);
                right_count += counts[b];
                right_costs[b] = right_count ? right.area() * right_count : NONE;
            }
            for (int b = 0; b < BINS - 1; b++) {
                left.take(bins[b]);
                left_count += counts[b];
                float cost = left_count ? left.area() * left_count + right_costs[b + 1] : NONE;
                if (cost < cheapest) cheapest = cost, best_axis = axis, best_bin = b;
            }
        }
        int middle = (start + end) / 2;
        if (best_axis >= 0) {
            auto is_left = [&](const Triangle& t) { return bin(t, best_axis) <= best_bin; };
            auto begin = triangles.begin();
            middle = int(std::partition(begin + start, begin + end, is_left) - begin);
        }
        if (middle == start || middle == end) middle = (start + end) / 2;
        int first = int(nodes.size());
        nodes.resize(first + 2);
        nodes[at].first = first, nodes[at].count = 0;
        split(first, start, middle);
        split(first + 1, middle, end);
    }
};

}  // namespace
